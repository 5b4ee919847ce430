import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct QueryParametersTests {
  @Test(arguments: [("", true), ("true", true), ("1", true), ("false", false), ("0", false)])
  func `a flag accepts true, 1, false, 0 or no value, and other settings are unchanged`(
    value: String, isSet: Bool
  ) throws {
    var options = PlaceholderOptions()
    options.decoding.isLenient = true
    try QueryParameters.read(
      [("exact", value), ("lqip", "six")], into: &options, by: PlaceholderOptions.table)
    #expect(options.decoding.isExact == isSet)
    #expect(options.decoding.isLenient)
    #expect(options.lqip.method == .six)
  }

  @Test(arguments: [
    (
      [("exact", "yes")],
      "invalid value 'yes' for 'exact': expected true, 1, false, 0 or no value"
    ),
    (
      [("components", "10x1")],
      "invalid value '10x1' for 'components': expected auto, or two numbers from 1 to 9 "
        + "joined by 'x', such as 4x3"
    ),
    (
      [("colour", "red")],
      "unknown parameter 'colour'; supported: components, blurhash, lqip, tiny-bytes, "
        + "preview-format, preview-bytes, background, exact, lenient, verify"
    ),
    (
      [("lqip", "fited")],
      "invalid value 'fited' for 'lqip': expected fitted, corners or six (did you mean 'fitted'?)"
    ),
    ([("lqip", "six"), ("lqip", "six")], "duplicate parameter 'lqip'"),
    ([("exact", "0"), ("exact", "0")], "duplicate parameter 'exact'"),
  ])
  func `an invalid or duplicate parameter is reported with the accepted values`(
    query: [(String, String)], detail: String
  ) {
    var options = PlaceholderOptions()
    let error = #expect(throws: Problem.self) {
      try QueryParameters.read(
        query.map { (name: $0, value: $1) }, into: &options, by: PlaceholderOptions.table)
    }
    #expect(error?.status == 400 && error?.code == "bad_parameter")
    #expect(error?.detail == detail)
  }
}

/// Tests that random parameters neither crash the process nor cause status 500.
@Suite struct ParameterFuzzTests {
  private let service = TestService()

  private static let names = [
    "blurhash", "lqip", "lqip2", "width", "height", "punch", "components", "background",
    "exact", "lenient", "verify", "profile", "kinds", "preview-bytes", "preview-format", "text",
    "kind", "thumbhash", "css", "", "unknown",
  ]

  private func status(
    _ method: String, _ path: String, _ query: [(name: String, value: String)], _ body: [UInt8]
  ) -> Int {
    service.response(
      to: RequestHead(method: method, path: path, query: query, fields: []), body
    ).status
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
      for status in [
        status("GET", "/v1/decode", query, []), status("POST", "/v1/encode", query, image),
      ] {
        statuses[status, default: 0] += 1
        #expect(status < 500 || status == 503 || status == 504, "\(query)")
      }
    }
    #expect(statuses[200, default: 0] > 500)
    #expect(statuses[400, default: 0] > 30_000)
  }

}
