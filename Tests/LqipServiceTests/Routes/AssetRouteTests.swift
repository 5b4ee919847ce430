import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipService

@Suite struct AssetRouteTests {
  private let service = TestService()

  @Test func `the stylesheet is the program's`() throws {
    let response = service.response("GET", "/lqip.css")
    #expect(response.body == (try Program("css")).output)
    #expect(response["content-type"] == ["text/css; charset=utf-8"])
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/page.css", "text/css; charset=utf-8"),
    ("/files.js", "text/javascript; charset=utf-8"), ("/page.js", "text/javascript; charset=utf-8"),
    ("/item.js", "text/javascript; charset=utf-8"),
    ("/service.js", "text/javascript; charset=utf-8"), ("/openapi.json", "application/json"),
  ])
  func `each file has its type`(path: String, type: String) {
    #expect(service.response("GET", path)["content-type"] == [type])
  }

  @Test func `the page may load nothing from elsewhere`() throws {
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

  @Test func `what the page refers to is there`() {
    let page = service.response("GET", "/").text
    let script = service.response("GET", "/page.js").text
    let references =
      page.matches(of: /(?:src|href)="([a-z][^":]*)"/).map { "/\($0.1)" }
      + script.matches(of: /from "\.(\/[^"]*)"/).map { String($0.1) }
    #expect(Set(references).isSuperset(of: ["/page.js", "/files.js", "/item.js", "/service.js"]))
    for reference in references {
      #expect(service.response("GET", reference).status == 200)
    }
  }

  @Test func `the description of the interface is JSON`() {
    #expect(service.response("GET", "/openapi.json").object["openapi"] as? String != nil)
  }

  @Test(arguments: AssetRoute.all.map(\.path))
  func `a client that has it is told so`(path: String) throws {
    let tag = try #require(service.response("GET", path)["etag"].first)
    let response = service.response("GET", path, ["if-none-match": tag])
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
    #expect(response["etag"] == [tag])
    #expect(response["cache-control"] == ["no-cache"])
    #expect(service.response("GET", path, ["if-none-match": "\"0\""]).status == 200)
  }

  @Test func `each has a tag of its own`() {
    let tags = AssetRoute.all.map { service.response("GET", $0.path)["etag"] }
    #expect(Set(tags).count == AssetRoute.all.count)
  }
}
