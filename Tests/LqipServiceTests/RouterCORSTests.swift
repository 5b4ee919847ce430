import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipSystem
@testable import LqipService

@Suite struct RouterCORSTests {
  private let origin = "https://a.example"

  private func response(_ origins: [String], _ method: String, _ origin: String) -> Response {
    TestService(origins: origins).response(method, "/v1/encode", ["origin": origin])
  }

  @Test func `without allowed origins, no CORS header field is sent`() {
    let response = response([], "POST", origin)
    #expect(response.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
    #expect(response["vary"] == [])
  }

  @Test func `an allowed origin gets CORS header fields, even with errors`() {
    for method in ["POST", "OPTIONS", "GET"] {
      let response = response(["https://b.example", origin], method, origin)
      #expect(response["access-control-allow-origin"] == [origin])
      #expect(response["vary"] == ["Origin"])
    }
  }

  @Test(arguments: ["https://c.example", "http://a.example", "https://a.example.org", "null"])
  func `an origin that is not allowed gets no CORS header field`(other: String) {
    let response = response([origin], "POST", other)
    #expect(response["access-control-allow-origin"] == [])
    #expect(response["vary"] == ["Origin"])
  }

  @Test func `a star allows every origin`() {
    let response = response(["*"], "POST", origin)
    #expect(response["access-control-allow-origin"] == ["*"])
    #expect(response["vary"] == [])
  }

  @Test func `a preflight response lists the allowed methods and header fields`() {
    let response = response([origin], "OPTIONS", origin)
    #expect(response.status == 204)
    #expect(response["access-control-allow-methods"] == ["POST, OPTIONS"])
    #expect(
      response["access-control-allow-headers"] == ["authorization, content-type, x-request-id"])
    #expect(response["access-control-max-age"] == ["86400"])
    #expect(self.response([origin], "POST", origin)["access-control-max-age"] == [])
  }
}
