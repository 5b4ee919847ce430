import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipSystem
@testable import LqipService

@Suite struct RouterCrossOriginTests {
  /// Returns the status of a `POST` to a server that allows these origins; 415 means that the origin check passed.
  private func status(
    _ fields: KeyValuePairs<String, String>, origins: [String] = [], isLoopback: Bool = false
  ) -> Int {
    let router = Router(
      limits: LimitOptions(), tokens: nil, origins: origins, isLoopback: isLoopback,
      metrics: Metrics(), isDraining: Monitor(false))
    return router.response(to: RequestHead("POST", "/v1/encode", fields), Array("abc".utf8)).status
  }

  @Test(arguments: [
    ["host": "a.example", "origin": "https://b.example"],
    ["host": "a.example", "origin": "https://a.example:8080"],
    ["host": "a.example", "origin": "null"], ["host": "a.example", "sec-fetch-site": "cross-site"],
    ["host": "a.example", "sec-fetch-site": "same-site", "origin": "https://a.example"],
  ])
  func `requests from pages of other origins are rejected`(fields: [String: String]) {
    let fields = fields.map { ($0.key, $0.value) }
    let pairs = { (extra: [(String, String)]) in
      RequestHead(
        method: "POST", path: "/v1/encode", query: [],
        fields: (fields + extra).map { (name: $0.0, value: $0.1) }, id: "test")
    }
    let router = TestService().router
    guard let response = router.refusal(of: pairs([])) else {
      Issue.record("the request is allowed")
      return
    }
    #expect(response.isProblem(403, "cross_origin"))
    let origin = fields.first { $0.0 == "origin" }?.1
    guard TestService(origins: [origin ?? "*"]).router.refusal(of: pairs([])) == nil else {
      Issue.record("the request is rejected although its origin is allowed")
      return
    }
  }

  @Test(arguments: ["/metrics", "/v1/decode"])
  func `DNS rebinding cannot read from a loopback server`(path: String) {
    func isRefused(_ fields: [(name: String, value: String)], isLoopback: Bool = true) -> Bool {
      let head = RequestHead(method: "GET", path: path, query: [], fields: fields, id: "test")
      return CrossOriginPolicy(origins: [], isLoopback: isLoopback)
        .refusal(of: head, isPublic: false)?.status == 421
    }
    let site = (name: "sec-fetch-site", value: "same-origin")
    #expect(isRefused([("host", "evil.example"), site]))
    #expect(isRefused([("host", "evil.example"), ("origin", "http://evil.example")]))
    #expect(!isRefused([("host", "localhost:8080"), site]))
    #expect(!isRefused([("host", "evil.example")]))
    #expect(!isRefused([("host", "evil.example"), site], isLoopback: false))
  }

  @Test func `metrics have no CORS header fields`() {
    let service = TestService(origins: ["*"])
    let fields = service.router.fields(
      for: RequestHead(method: "GET", path: "/metrics", query: [], fields: [], id: "test"))
    #expect(!fields.contains { $0.name == "access-control-allow-origin" })
  }

  @Test func `same-origin pages and programs are allowed`() {
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
  func `DNS rebinding cannot post to a loopback server`(host: String, status: Int) {
    #expect(self.status(["host": host, "origin": "http://\(host)"], isLoopback: true) == status)
    // A local proxy forwards its public host name.
    #expect(self.status(["host": host], isLoopback: true) == 415)
    #expect(self.status(["host": host, "origin": "http://\(host)"]) == 415)
  }

  /// Returns the detail of the problem that a page of an origin receives.
  private func detail(_ origin: String, host: String, isLoopback: Bool = false) -> String? {
    let router = Router(
      limits: LimitOptions(), tokens: nil, origins: [], isLoopback: isLoopback, metrics: Metrics(),
      isDraining: Monitor(false))
    let head = RequestHead("POST", "/v1/encode", ["host": host, "origin": origin])
    return router.refusal(of: head)?.detail
  }

  @Test func `the problem names the option that allows the origin`() {
    let origin = "https://a.example"
    #expect(
      detail(origin, host: "b.example")
        == "pages from \(origin) are not allowed to access the server; to allow them, pass "
        + "--cors-origin \(origin)")
    #expect(
      detail(origin, host: "a.example", isLoopback: true)
        == "pages from \(origin) are not allowed to access the server using this host name; to allow them, "
        + "pass --cors-origin \(origin)")
  }

  @Test(arguments: [
    "null", "*", "a.example", "https://A.example", "https://a.example/\u{E9}", "https://a b",
    "https://" + String(repeating: "a", count: 248),
  ])
  func `the problem does not repeat an origin that --cors-origin would reject`(origin: String) {
    #expect(
      detail(origin, host: "b") == "pages from this origin are not allowed to access the server")
    #expect(detail("https://" + String(repeating: "a", count: 247), host: "b")?.count ?? 0 > 500)
  }

  @Test func `host names are not checked if a token is required`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("tokens", Array("secret\n".utf8))
    let router = Router(
      limits: LimitOptions(), tokens: try TokenFile(FilePath(file)), origins: [], isLoopback: true,
      metrics: Metrics(), isDraining: Monitor(false))
    func status(_ token: String, _ origin: String) -> Int? {
      let head = RequestHead(
        "POST", "/v1/encode",
        ["host": "a.example", "origin": origin, "authorization": "Bearer \(token)"])
      return router.refusal(of: head)?.status
    }
    #expect(status("secret", "https://a.example") == nil)
    #expect(status("other", "https://a.example") == 401)
    #expect(status("secret", "https://b.example") == 403)
  }

  @Test func `the admin listener serves metrics and health checks only`() {
    let router = Router(adminTokens: nil, metrics: Metrics(), isDraining: Monitor(false))
    let statuses = ["/metrics", "/healthz", "/readyz", "/", "/v1/encode"].map { path in
      router.response(to: RequestHead("GET", path)).status
    }
    #expect(statuses == [200, 200, 200, 404, 404])
    let other = Router(
      limits: LimitOptions(), tokens: nil, origins: [], metrics: Metrics(), showsMetrics: false,
      isDraining: Monitor(false))
    #expect(other.response(to: RequestHead("GET", "/metrics")).status == 404)
  }
}
