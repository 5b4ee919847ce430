import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipFiles
@testable import LqipService

@Suite struct RouterTests {
  private static let readable = [
    "/", "/page.css", "/page.js", "/lqip.css", "/openapi.json", "/healthz", "/readyz", "/metrics",
    "/v1/decode?lqip=#ccd94c11",
  ]
  private let service = TestService()

  @Test(arguments: readable)
  func `what can be read can be asked about`(target: String) {
    let response = service.response("GET", target)
    #expect(response.status == 200)
    #expect(response.outcome == "ok")
    #expect(!response.body.isEmpty)
    #expect(response["content-type"].count == 1)
    #expect(response["cache-control"].count == 1)
    #expect(response["x-content-type-options"] == ["nosniff"])
    let head = service.response("HEAD", target)
    #expect(head.status == 200)
    #expect(head["content-type"] == response["content-type"])
    #expect(head["etag"] == response["etag"])
  }

  @Test(arguments: ["/nothing", "/v1", "/v1/encode/", "/V1/encode", "", "*", "/../healthz"])
  func `an unknown path is not found`(path: String) {
    for method in ["GET", "POST", "OPTIONS", "BREW"] {
      let head = RequestHead(method: method, path: path, query: [], fields: [], id: "test")
      guard case .refuse(let response, nil) = service.router.admit(head) else {
        Issue.record("\(method) \(path) is accepted")
        continue
      }
      #expect(response.isProblem(404, "not_found"))
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "get", "TRACE"])
  func `a wrong method is told the right ones`(method: String) {
    let response = service.response(method, "/v1/decode?nonsense")
    #expect(response.isProblem(405, "method_not_allowed"))
    #expect(response["allow"] == ["GET, HEAD, OPTIONS"])
  }

  @Test(arguments: ["GET", "HEAD", "PUT"])
  func `images are only posted`(method: String) {
    let response = service.response(method, "/v1/encode")
    #expect(response.isProblem(405, "method_not_allowed"))
    #expect(response["allow"] == ["POST, OPTIONS"])
  }

  @Test func `options are told without a body`() {
    let response = service.response("OPTIONS", "/v1/encode", ["origin": "https://a.example"])
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
    #expect(response["allow"] == ["POST, OPTIONS"])
    #expect(response.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
  }

  @Test func `only images take a body and a slot`() {
    var service = service
    service.limits.byteCount = 1234
    let heads = [RequestHead("POST", "/v1/encode")] + Self.readable.map { RequestHead("GET", $0) }
    for head in heads {
      guard case .accept(let route, let count, let decodes) = service.router.admit(head) else {
        Issue.record("\(head.path) is refused")
        continue
      }
      #expect(route == head.path)
      #expect(count == (head.method == "POST" ? 1234 : 0))
      #expect(decodes == head.path.hasPrefix("/v1/"))
    }
  }

  @Test func `a draining server is alive but not ready`() {
    #expect(service.response("GET", "/readyz").text == "ok\n")
    service.readiness.drain()
    let response = service.response("GET", "/readyz")
    #expect(response.isProblem(503, "draining"))
    #expect(response["retry-after"] == ["1"])
    #expect(service.response("GET", "/healthz").text == "ok\n")
  }
}

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
  func `work and figures need a token`(request: String) {
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
  func `anything but a token is refused`(value: String) {
    let response = service.response("GET", "/metrics", ["authorization": value])
    #expect(response.isProblem(401, "unauthorized"))
  }

  @Test func `two tokens are refused, whichever is right`() {
    let response = service.response(
      "GET", "/metrics",
      ["authorization": "Bearer first-token", "authorization": "Bearer first-token"])
    #expect(response.isProblem(401, "unauthorized"))
  }

  @Test(arguments: [
    "/", "/page.css", "/page.js", "/lqip.css", "/openapi.json", "/healthz", "/readyz",
  ])
  func `the page and what watches the server need none`(path: String) {
    #expect(service.response("GET", path).status == 200)
  }

  @Test func `a wrong query is not looked at without a token`() {
    #expect(service.response("POST", "/v1/encode?nonsense=1").status == 401)
  }
}

@Suite struct RouterOriginTests {
  private let origin = "https://a.example"

  private func response(_ origins: [String], _ method: String, _ origin: String) -> Response {
    TestService(origins: origins).response(method, "/v1/encode", ["origin": origin])
  }

  @Test func `without origins nothing is said of them`() {
    let response = response([], "POST", origin)
    #expect(response.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
    #expect(response["vary"] == [])
  }

  @Test func `a listed origin is let in, also to problems`() {
    for method in ["POST", "OPTIONS", "GET"] {
      let response = response(["https://b.example", origin], method, origin)
      #expect(response["access-control-allow-origin"] == [origin])
      #expect(response["vary"] == ["Origin"])
    }
  }

  @Test(arguments: ["https://c.example", "http://a.example", "https://a.example.org", "null"])
  func `another origin is not let in`(other: String) {
    let response = response([origin], "POST", other)
    #expect(response["access-control-allow-origin"] == [])
    #expect(response["vary"] == ["Origin"])
  }

  @Test func `a star lets all in`() {
    let response = response(["*"], "POST", origin)
    #expect(response["access-control-allow-origin"] == ["*"])
    #expect(response["vary"] == [])
  }

  @Test func `a browser that asks first learns what it may send`() {
    let response = response([origin], "OPTIONS", origin)
    #expect(response.status == 204)
    #expect(response["access-control-allow-methods"] == ["POST, OPTIONS"])
    #expect(
      response["access-control-allow-headers"] == ["authorization, content-type, x-request-id"])
    #expect(response["access-control-max-age"] == ["86400"])
    #expect(self.response([origin], "POST", origin)["access-control-max-age"] == [])
  }
}
