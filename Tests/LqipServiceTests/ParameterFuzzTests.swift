import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

/// Tests that random parameters neither crash the process nor cause status 500.
@Suite struct ParameterFuzzTests {
  private let service = TestService()

  private static let names = [
    "blurhash", "lqip", "lqip2", "width", "height", "punch", "components", "background",
    "exact", "lenient", "verify", "profile", "kinds", "preview-bytes", "preview-format", "text",
    "kind", "thumbhash", "css", "", "unknown",
  ]

  private func response(
    _ method: String, _ path: String, _ query: [(name: String, value: String)], _ body: [UInt8]
  ) -> Response {
    let head = RequestHead(method: method, path: path, query: query, fields: [], id: "test")
    return service.router.response(to: head, body)
  }

  @Test func `random parameters get a response other than 500`() throws {
    var values = OddValues(seed: 11)
    let image = try Fixtures.bytes("size-1x1.png")
    var statuses: [Int: Int] = [:]
    for round in 0..<30_000 {
      var query = (0..<(1 + values.number(below: 3))).map { _ in
        (
          name: Self.names[values.number(below: Self.names.count)],
          value: String(decoding: values.value(), as: UTF8.self)
        )
      }
      // Without a valid hash, few requests would reach rendering.
      if round.isMultiple(of: 2) {
        query.append(("blurhash", "|~TSUA" + String(repeating: "~0", count: 80)))
        query.append(("width", "3"))
        query.append(("height", "2"))
        query = query.filter { $0.name != "width" && $0.name != "height" } + query.suffix(2)
      }
      let decoded = response("GET", "/v1/decode", query, [])
      let encoded = response("POST", "/v1/encode", query, image)
      for status in [decoded.status, encoded.status] {
        statuses[status, default: 0] += 1
        #expect(status < 500 || status == 503 || status == 504, "\(query)")
      }
    }
    #expect(statuses[200, default: 0] > 500)
    #expect(statuses[400, default: 0] > 30_000)
  }

  @Test(arguments: ["1e38", "inf", "nan", "101", "-1", "0", "1e-60", "100.0000001"])
  func `a punch outside its range is rejected`(punch: String) {
    let hash = "|~TSUA" + String(repeating: "~q", count: 40) + String(repeating: "00", count: 40)
    let query = [(name: "blurhash", value: hash), (name: "width", value: "9")]
    #expect(response("GET", "/v1/decode", query, []).status == 200)
    #expect(
      response("GET", "/v1/decode", query + [(name: "punch", value: punch)], [])
        .isProblem(400, "bad_parameter"))
  }
}
