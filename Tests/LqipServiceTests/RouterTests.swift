import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

@Suite struct RouterTests {
  private static let readable =
    AssetRoute.all.map(\.path) + ["/healthz", "/readyz", "/metrics", "/v1/decode?lqip=#ccd94c11"]
  private let service = TestService()

  @Test(arguments: readable)
  func `HEAD returns the header fields of GET`(target: String) {
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
  func `an unknown path gets 404`(path: String) {
    for method in ["GET", "POST", "OPTIONS", "BREW"] {
      let head = RequestHead(method, path)
      #expect(service.router.admit(head).route == nil)
      #expect(service.refusal(of: head)?.isProblem(404, "not_found") == true)
    }
  }

  @Test(arguments: [
    ("POST", "/v1/decode?nonsense", "GET, HEAD, OPTIONS"),
    ("PUT", "/v1/decode", "GET, HEAD, OPTIONS"), ("DELETE", "/healthz", "GET, HEAD, OPTIONS"),
    ("get", "/v1/decode", "GET, HEAD, OPTIONS"), ("TRACE", "/", "GET, HEAD, OPTIONS"),
    ("GET", "/v1/encode", "POST, OPTIONS"), ("HEAD", "/v1/encode", "POST, OPTIONS"),
  ])
  func `a wrong method gets 405 with Allow`(method: String, target: String, allowed: String) {
    let response = service.response(method, target)
    #expect(response.isProblem(405, "method_not_allowed"))
    #expect(response["allow"] == [allowed])
  }

  @Test func `OPTIONS returns Allow without a body`() {
    let response = service.response("OPTIONS", "/v1/encode", ["origin": "https://a.example"])
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
    #expect(response["allow"] == ["POST, OPTIONS"])
    #expect(response.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
  }

  @Test func `only the encode route reads a body`() {
    var service = service
    service.limits.byteCount = 1234
    let heads = [RequestHead("POST", "/v1/encode")] + Self.readable.map { RequestHead("GET", $0) }
    for head in heads {
      let (acceptance, route) = service.router.admit(head)
      #expect(route == head.path)
      switch acceptance {
      case .respond(let response):
        #expect(response.status == 200)
        #expect(!head.path.hasPrefix("/v1/"))
      case .handle(let handler):
        #expect(handler.maximumBodyByteCount == (head.method == "POST" ? 1234 : 0))
        #expect(handler.work == (head.method == "POST" ? .encoding : .drawing))
      }
    }
  }

  @Test func `a draining server is alive but not ready`() {
    #expect(service.response("GET", "/readyz").text == "ok\n")
    service.isDraining.update { $0 = true }
    let response = service.response("GET", "/readyz")
    #expect(response.isProblem(503, "draining"))
    #expect(response["retry-after"] == ["1"])
    #expect(service.response("GET", "/healthz").text == "ok\n")
  }
}

@Suite struct RouterAccessTests {
  private let service: TestService

  init() throws {
    let directory = TemporaryDirectory()
    let file = try directory.write("tokens", Array("# ours\nfirst-token\n\nsecond-token\n".utf8))
    service = TestService(tokens: try TokenFile(FilePath(file)))
  }

  @Test(arguments: [
    "POST /v1/encode?nonsense=1", "GET /v1/decode?lqip=#ccd94c11", "GET /metrics", "HEAD /metrics",
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
  func `malformed and unknown tokens and a second Authorization field are rejected`(
    value: String
  ) {
    let fields: [KeyValuePairs<String, String>] = [
      ["authorization": value], ["authorization": "Bearer first-token", "authorization": value],
    ]
    for fields in fields {
      let response = service.response("GET", "/metrics", fields)
      #expect(response.isProblem(401, "unauthorized"))
      #expect(response["www-authenticate"] == ["Bearer error=\"invalid_token\""])
    }
  }

  @Test(arguments: AssetRoute.all.map(\.path) + ["/healthz", "/readyz"])
  func `the page and the health checks need no token`(path: String) {
    #expect(service.response("GET", path).status == 200)
  }

  @Test func `host names are not checked if a token is required`() throws {
    var service = service
    service.isLoopback = true
    for (token, origin, status) in [
      ("first-token", "https://a.example", nil), ("other", "https://a.example", 401),
      ("first-token", "https://b.example", 403),
    ] as [(String, String, Int?)] {
      let head = RequestHead(
        "POST", "/v1/encode",
        ["host": "a.example", "origin": origin, "authorization": "Bearer \(token)"])
      #expect(service.refusal(of: head)?.status == status)
    }
  }
}

@Suite struct TokenFileTests {
  private let directory = TemporaryDirectory()

  private func admits(_ file: TokenFile, _ token: String) -> Bool {
    file.admits(RequestHead("GET", "/", ["authorization": "Bearer \(token)"]))
  }

  @Test func `each line is a token, except blank lines and comments`() throws {
    let text = "one\n\n  # two\n\tthree== \r\n#four\nfive"
    let file = try TokenFile(FilePath(try directory.write("tokens", Array(text.utf8))))
    for token in ["one", "three==", "five"] { #expect(admits(file, token)) }
    for token in ["", "two", "# two", "four", "#four", "on", "onee", "ONE", "one\n"] {
      #expect(!admits(file, token))
    }
  }

  @Test(
    arguments: [
      ("", "no tokens"), ("\n\n", "no tokens"), ("# none\n", "no tokens"), (" \t\n", "no tokens"),
    ]
      + ["two words", "fi#ve", "\u{E9}", "\"two\"", "\0"].map {
        // An invalid token may be a secret, so the message omits it.
        ("one\n\($0)", "line 2: invalid token; use only letters, digits and -._~+/=")
      })
  func `an unusable token file is reported with its path and the reason`(
    text: String, reason: String
  ) throws {
    let path = try directory.write("tokens", Array(text.utf8))
    #expect(throws: CommandError.failed("\(path): cannot read tokens: \(reason)")) {
      try TokenFile(FilePath(path))
    }
  }

  @Test func `a missing file and a directory are reported`() throws {
    let missing = directory.file("missing")
    for (path, reason) in [
      (missing, "No such file or directory"), (directory.path, "not a regular file"),
    ] {
      #expect(throws: CommandError.failed("\(path): cannot read tokens: \(reason)")) {
        try TokenFile(FilePath(path))
      }
    }
  }
}
