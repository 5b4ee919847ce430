import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipSystem
@testable import LqipService

@Suite struct RouterAccessTests {
  private let service: TestService

  init() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("tokens", Array("# ours\nfirst-token\n\nsecond-token\n".utf8))
    service = TestService(tokens: try TokenFile(FilePath(file)))
  }

  @Test(arguments: [
    "POST /v1/encode", "GET /v1/decode?lqip=#ccd94c11", "GET /metrics", "HEAD /metrics",
  ])
  func `encoding, decoding and metrics require a token`(request: String) {
    let words = request.split(separator: " ").map(String.init)
    let refused = service.response(words[0], words[1])
    #expect(refused.isProblem(401, "unauthorized"))
    #expect(refused["www-authenticate"] == ["Bearer"])
    for token in ["Bearer first-token", "bearer second-token", "BEARER  first-token"] {
      #expect(service.response(words[0], words[1], ["authorization": token]).status != 401)
    }
  }

  @Test(arguments: [
    "", "Bearer", "Bearer ", "first-token", "Basic first-token", "Bearer first-toke",
    "Bearer first-token2", "Bearer First-token", "Bearer first-token second-token", "Bearer # ours",
    "Bearer #", "Bearer first-token,",
  ])
  func `malformed and unknown tokens are rejected`(value: String) {
    let response = service.response("GET", "/metrics", ["authorization": value])
    #expect(response.isProblem(401, "unauthorized"))
    #expect(response["www-authenticate"] == ["Bearer error=\"invalid_token\""])
  }

  @Test func `two Authorization fields are rejected`() {
    let response = service.response(
      "GET", "/metrics",
      ["authorization": "Bearer first-token", "authorization": "Bearer first-token"])
    #expect(response.isProblem(401, "unauthorized"))
  }

  @Test(arguments: [
    "/", "/page.css", "/files.js", "/item.js", "/page.js", "/picture.js", "/service.js",
    "/lqip.css",
    "/lqip-css.css", "/samples/room.jpg",
    "/openapi.json",
    "/healthz",
    "/readyz",
  ])
  func `the page and the health checks need no token`(path: String) {
    #expect(service.response("GET", path).status == 200)
  }

  @Test func `a missing token is reported before an invalid query`() {
    #expect(service.response("POST", "/v1/encode?nonsense=1").status == 401)
  }
}
