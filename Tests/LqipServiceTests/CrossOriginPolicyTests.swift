import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

@Suite struct CrossOriginPolicyTests {
  private static let origin = "https://a.example"

  /// Returns the response to the head of a request; nil if the request is allowed.
  private func refusal(
    _ fields: KeyValuePairs<String, String>, origins: [String] = [], isLoopback: Bool = false,
    _ method: String = "POST", _ path: String = "/v1/encode"
  ) -> Response? {
    TestService(origins: origins, isLoopback: isLoopback).refusal(
      of: RequestHead(method, path, fields))
  }

  @Test(
    arguments: [
      ["host": "a.example", "origin": "https://b.example"],
      ["host": "a.example", "origin": "https://a.example:8080"],
      ["host": "a.example", "origin": "null"],
      ["host": "a.example", "sec-fetch-site": "cross-site"],
      ["host": "a.example", "sec-fetch-site": "same-site", "origin": "https://a.example"],
    ] as [KeyValuePairs<String, String>])
  func `requests from pages of other origins are rejected`(
    fields: KeyValuePairs<String, String>
  ) {
    let response = refusal(fields)
    #expect(response?.isProblem(403, "cross_origin") == true)
    #expect(response?.detail?.hasSuffix("see --cors-origin") == true)
    let origin = fields.first { $0.key == "origin" }?.value
    #expect(refusal(fields, origins: [origin ?? "*"]) == nil)
  }

  @Test(
    arguments: [
      [:], ["host": "a.example"], ["host": "a.example:81", "origin": "http://a.example:81"],
      ["host": "b", "origin": "https://a.example", "sec-fetch-site": "same-origin"],
      ["host": "b", "sec-fetch-site": "none"],
    ] as [KeyValuePairs<String, String>])
  func `same-origin pages and programs are allowed`(fields: KeyValuePairs<String, String>) {
    #expect(refusal(fields) == nil)
  }

  @Test(arguments: ["/metrics", "/v1/decode?lqip=#ccd94c11"])
  func `DNS rebinding cannot read from a loopback server`(path: String) {
    func isRefused(_ fields: KeyValuePairs<String, String>, isLoopback: Bool = true) -> Bool {
      refusal(fields, isLoopback: isLoopback, "GET", path)?.status == 421
    }
    #expect(isRefused(["host": "evil.example", "sec-fetch-site": "same-origin"]))
    #expect(isRefused(["host": "evil.example", "origin": "http://evil.example"]))
    #expect(!isRefused(["host": "localhost:8080", "sec-fetch-site": "same-origin"]))
    #expect(!isRefused(["host": "evil.example"]))
    #expect(
      !isRefused(["host": "evil.example", "sec-fetch-site": "same-origin"], isLoopback: false))
  }

  @Test(
    arguments: [
      ("localhost:8080", nil), ("LOCALHOST", nil), ("127.0.0.1:1", nil), ("127.1.2.3", nil),
      ("[::1]:8080", nil), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
      ("10.0.0.1", 421),
      ("[::2]", 421), ("localhost.evil", 421), ("127.evil", 421),
    ] as [(String, Int?)])
  func `DNS rebinding cannot post to a loopback server`(host: String, status: Int?) {
    let fields: KeyValuePairs = ["host": host, "origin": "http://\(host)"]
    #expect(refusal(fields, isLoopback: true)?.status == status)
    // A local proxy forwards its public host name.
    #expect(refusal(["host": host], isLoopback: true) == nil)
    #expect(refusal(fields) == nil)
  }

  @Test(
    arguments: [
      ([], "https://a.example", [], []), (["*"], "https://a.example", ["*"], []),
      (
        ["https://b.example", "https://a.example"], "https://a.example", ["https://a.example"],
        ["Origin"]
      ),
      (["https://a.example"], "http://a.example", [], ["Origin"]),
      (["https://a.example"], "https://a.example.org", [], ["Origin"]),
      (["https://a.example"], "null", [], ["Origin"]),
    ] as [([String], String, [String], [String])])
  func `only an allowed origin gets CORS header fields, even with errors`(
    allowed: [String], origin: String, field: [String], vary: [String]
  ) {
    let service = TestService(origins: allowed)
    for method in ["POST", "OPTIONS", "GET"] {
      let response = service.response(method, "/v1/encode", ["origin": origin])
      #expect(response["access-control-allow-origin"] == field)
      #expect(response["vary"] == vary)
      #expect(response["access-control-expose-headers"].count == field.count)
    }
    let metrics = service.response("GET", "/metrics", ["origin": origin])
    #expect(metrics["access-control-allow-origin"] == [])
  }

  @Test func `a preflight response lists the allowed methods and header fields`() {
    let service = TestService(origins: [Self.origin])
    let response = service.response("OPTIONS", "/v1/encode", ["origin": Self.origin])
    #expect(response.status == 204)
    #expect(response["access-control-allow-methods"] == ["POST, OPTIONS"])
    #expect(
      response["access-control-allow-headers"] == ["authorization, content-type, x-request-id"])
    #expect(response["access-control-max-age"] == ["86400"])
    let post = service.response("POST", "/v1/encode", ["origin": Self.origin])
    #expect(post["access-control-max-age"] == [])
  }
}
