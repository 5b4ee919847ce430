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
    #expect(response["www-authenticate"] == ["Bearer error=\"invalid_token\""])
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

@Suite struct RouterForeignPageTests {
  /// The status of a post to a server that knows these origins; 415 where it is let in.
  private func status(
    _ fields: KeyValuePairs<String, String>, origins: [String] = [], isLoopback: Bool = false
  ) -> Int {
    let router = Router(
      limits: LimitOptions(), tokens: nil, origins: origins, isLoopback: isLoopback,
      metrics: Metrics(), readiness: Readiness())
    let head = RequestHead("POST", "/v1/encode", fields)
    switch router.admit(head) {
    case .refuse(let response, _): return response.status
    case .accept: return router.respond(to: Request(head: head, body: Array("abc".utf8))).status
    }
  }

  @Test(arguments: [
    ["host": "a.example", "origin": "https://b.example"],
    ["host": "a.example", "origin": "https://a.example:8080"],
    ["host": "a.example", "origin": "null"], ["host": "a.example", "sec-fetch-site": "cross-site"],
    ["host": "a.example", "sec-fetch-site": "same-site", "origin": "https://a.example"],
  ])
  func `a page of another origin has no work done`(fields: [String: String]) {
    let fields = fields.map { ($0.key, $0.value) }
    let pairs = { (extra: [(String, String)]) in
      RequestHead(
        method: "POST", path: "/v1/encode", query: [],
        fields: (fields + extra).map { (name: $0.0, value: $0.1) }, id: "test")
    }
    let router = TestService().router
    guard case .refuse(let response, _) = router.admit(pairs([])) else {
      Issue.record("it is let in")
      return
    }
    #expect(response.isProblem(403, "cross_origin"))
    let origin = fields.first { $0.0 == "origin" }?.1
    guard case .accept = TestService(origins: [origin ?? "*"]).router.admit(pairs([])) else {
      Issue.record("it is not let in though it may be")
      return
    }
  }

  @Test func `a page of our own and programs are let in`() {
    #expect(status([:]) == 415)
    #expect(status(["host": "a.example"]) == 415)
    #expect(status(["host": "a.example:81", "origin": "http://a.example:81"]) == 415)
    #expect(
      status(["host": "b", "origin": "https://a.example", "sec-fetch-site": "same-origin"]) == 415)
    #expect(status(["host": "b", "sec-fetch-site": "none"]) == 415)
    #expect(
      status(["host": "a", "origin": "https://b.example"], origins: ["https://b.example"]) == 415)
    #expect(status(["host": "a", "origin": "https://b.example"], origins: ["*"]) == 415)
  }

  @Test(arguments: [
    ("localhost:8080", 415), ("LOCALHOST", 415), ("127.0.0.1:1", 415), ("127.1.2.3", 415),
    ("[::1]:8080", 415), ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("10.0.0.1", 421),
    ("[::2]", 421), ("localhost.evil", 421), ("127.evil", 421),
  ])
  func `a name that was made to mean this machine does not help a page`(host: String, status: Int) {
    #expect(self.status(["host": host, "origin": "http://\(host)"], isLoopback: true) == status)
    // A proxy on this machine hands on the name that it is known by.
    #expect(self.status(["host": host], isLoopback: true) == 415)
    #expect(self.status(["host": host, "origin": "http://\(host)"]) == 415)
  }

  @Test func `the admin's listener has the figures and nothing else`() {
    let router = Router(adminTokens: nil, metrics: Metrics(), readiness: Readiness())
    let statuses = ["/metrics", "/healthz", "/readyz", "/", "/v1/encode"].map { path in
      if case .accept = router.admit(RequestHead("GET", path)) { true } else { false }
    }
    #expect(statuses == [true, true, true, false, false])
    let other = Router(
      limits: LimitOptions(), tokens: nil, origins: [], metrics: Metrics(), showsMetrics: false,
      readiness: Readiness())
    guard case .refuse(let response, nil) = other.admit(RequestHead("GET", "/metrics")) else {
      Issue.record("there are figures")
      return
    }
    #expect(response.status == 404)
  }
}
