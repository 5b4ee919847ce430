import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

@Suite struct AssetRouteTests {
  private let service = TestService()

  @Test func `the stylesheet equals the output of lqip css`() throws {
    let response = service.response("GET", "/lqip.css")
    #expect(response.body == (try Program("css")).output)
  }

  @Test(arguments: AssetRoute.all.map(\.path))
  func `each file has the media type of its extension, and a matching ETag gets 304`(
    path: String
  ) throws {
    let types = [
      "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "json": "application/json", "jpg": "image/jpeg", "wasm": "application/wasm",
    ]
    let fileExtension = path.split(separator: ".").last.map(String.init) ?? ""
    let complete = service.response("GET", path)
    #expect(complete["content-type"] == [types[fileExtension] ?? "text/html; charset=utf-8"])
    let tag = try #require(complete["etag"].first)
    let response = service.response("GET", path, ["if-none-match": tag])
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
    #expect(response["etag"] == [tag])
    #expect(response["cache-control"] == ["no-cache"])
    let other = service.response("GET", path == "/" ? "/page.js" : "/")["etag"][0]
    #expect(service.response("GET", path, ["if-none-match": other]).status == 200)
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
    let worker = service.response("GET", "/worker.js")["content-security-policy"]
    #expect(
      worker == ["default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"])
  }

  @Test func `the page offers encoding in the browser if the program has the module`() throws {
    let page = service.response("GET", "/").text
    let module = service.response("GET", "/all.wasm")
    #expect(page.contains(#"<label class="local" >"#) == (module.status == 200))
    guard module.status == 200 else { return }
    #expect(module["content-encoding"] == ["gzip"])
    #expect(module.body.count < 125_000)
  }

  @Test func `the page shows the version and links to the documentation`() {
    let page = service.response("GET", "/").text
    #expect(page.contains("lqip \(ProgramVersion.current)"))
    #expect(page.contains("href=\"\(ProgramVersion.documentation)\""))
    #expect(!page.contains("{{"))
  }

  @Test func `the files of the page are smaller than 136 KB in total`() {
    let others = ["/openapi.json", "/all.wasm"]
    let sizes = AssetRoute.all.map(\.path).filter { !others.contains($0) }.map { path in
      (path, service.response("GET", path).body.count)
    }
    let samples = sizes.filter { $0.0.hasPrefix("/samples/") }
    #expect(samples.count == 5 && samples.allSatisfy { $0.1 < 16_000 }, "\(samples)")
    #expect(sizes.map(\.1).reduce(0, +) < 136_000, "\(sizes)")
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
    let directory = TemporaryDirectory()
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
}
