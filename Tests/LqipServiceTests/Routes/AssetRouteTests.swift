import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct AssetRouteTests {
  private let service = TestService()

  @Test func `the stylesheet equals the output of lqip css`() throws {
    let response = service.response("GET", "/lqip.css")
    #expect(response.body == (try Program("css")).output)
    #expect(response["content-type"] == ["text/css; charset=utf-8"])
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/page.css", "text/css; charset=utf-8"),
    ("/files.js", "text/javascript; charset=utf-8"), ("/page.js", "text/javascript; charset=utf-8"),
    ("/item.js", "text/javascript; charset=utf-8"),
    ("/service.js", "text/javascript; charset=utf-8"), ("/openapi.json", "application/json"),
    ("/picture.js", "text/javascript; charset=utf-8"), ("/samples/fruit.jpg", "image/jpeg"),
  ])
  func `each file is served with the correct media type`(path: String, type: String) {
    #expect(service.response("GET", path)["content-type"] == [type])
  }

  @Test func `the content security policy of the page forbids other origins`() throws {
    let response = service.response("GET", "/")
    let policy = try #require(response["content-security-policy"].first)
    for rule in [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
      "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ] {
      #expect(policy.split(separator: "; ").contains { $0 == rule })
    }
    #expect(!policy.contains("unsafe"))
    #expect(response["referrer-policy"] == ["no-referrer"])
  }

  @Test func `every file referenced by the page is served`() {
    let page = service.response("GET", "/").text
    let scripts = ["page", "item"].map { service.response("GET", "/\($0).js").text }.joined()
    let references =
      page.matches(of: /(?:src|href)="([a-z][^":]*)"/).map { "/\($0.1)" }
      + scripts.matches(of: /(?:from|import) "\.(\/[^"]*)"/).map { String($0.1) }
    #expect(
      Set(references).isSuperset(of: [
        "/page.js", "/files.js", "/item.js", "/picture.js", "/service.js", "/samples/room.jpg",
        "/openapi.json",
      ]))
    for reference in references {
      #expect(service.response("GET", reference).status == 200)
    }
  }

  @Test func `the page shows the version and links to the documentation`() {
    let page = service.response("GET", "/").text
    #expect(page.contains("lqip \(ProgramVersion.current)"))
    #expect(page.contains("href=\"\(ProgramVersion.documentation)\""))
    #expect(!page.contains("{{"))
  }

  @Test func `the files of the page are smaller than 128 KB in total`() {
    let sizes = AssetRoute.all.map(\.path).filter { $0 != "/openapi.json" }.map { path in
      (path, service.response("GET", path).body.count)
    }
    let samples = sizes.filter { $0.0.hasPrefix("/samples/") }
    #expect(samples.count == 5 && samples.allSatisfy { $0.1 < 16_000 }, "\(samples)")
    #expect(sizes.map(\.1).reduce(0, +) < 128_000, "\(sizes)")
  }

  @Test func `the OpenAPI document is valid JSON`() {
    #expect(service.response("GET", "/openapi.json").object["openapi"] as? String != nil)
  }

  @Test func `the OpenAPI document describes cross-origin and token errors`() throws {
    func member(_ object: Any?, _ names: String...) -> Any? {
      names.reduce(object) { object, name in (object as? [String: Any])?[name] }
    }
    let description = service.response("GET", "/openapi.json").object
    let responses = member(description, "components", "responses")
    let encoding = member(description, "paths", "/v1/encode", "post", "responses")
    for (status, code) in [(403, "cross_origin"), (421, "foreign_host")] {
      let reference = try #require(member(encoding, "\(status)", "$ref") as? String)
      let name = String(reference.split(separator: "/").last ?? "")
      let example = member(
        responses, name, "content", "application/problem+json", "example", "code")
      #expect(example as? String == code)
    }
    let directory = try TemporaryDirectory()
    let tokens = try directory.write("tokens", Array("secret\n".utf8))
    let closed = TestService(tokens: try TokenFile(FilePath(tokens)))
    let challenge = member(
      responses, "Unauthorized", "headers", "WWW-Authenticate", "schema", "enum")
    let described = try #require(challenge as? [String])
    for fields: KeyValuePairs<String, String> in [[:], ["authorization": "Bearer wrong"]] {
      let response = closed.response("GET", "/metrics", fields)
      #expect(response.status == 401)
      #expect(described.contains(response["www-authenticate"].first ?? ""))
    }
  }

  @Test(arguments: AssetRoute.all.map(\.path))
  func `a matching ETag gets 304`(path: String) throws {
    let tag = try #require(service.response("GET", path)["etag"].first)
    let response = service.response("GET", path, ["if-none-match": tag])
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
    #expect(response["etag"] == [tag])
    #expect(response["cache-control"] == ["no-cache"])
    #expect(service.response("GET", path, ["if-none-match": "\"0\""]).status == 200)
  }

  @Test func `each file has a distinct ETag`() {
    let tags = AssetRoute.all.map { service.response("GET", $0.path)["etag"] }
    #expect(Set(tags).count == AssetRoute.all.count)
  }
}
