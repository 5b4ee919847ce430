import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipSystem
@testable import LqipService

@Suite struct RouterTests {
  private static let readable = [
    "/", "/page.css", "/files.js", "/item.js", "/page.js", "/picture.js", "/service.js",
    "/lqip.css",
    "/lqip-css.css", "/samples/room.jpg",
    "/openapi.json",
    "/healthz",
    "/readyz", "/metrics",
    "/v1/decode?lqip=#ccd94c11",
  ]
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
    for method in ["GET", "POST", "OPTIONS", "BREW"] where (method, path) != ("OPTIONS", "*") {
      let head = RequestHead(method: method, path: path, query: [], fields: [], id: "test")
      guard case (.respond(let response), nil) = service.router.admit(head) else {
        Issue.record("\(method) \(path) is accepted")
        continue
      }
      #expect(response.isProblem(404, "not_found"))
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "get", "TRACE"])
  func `a wrong method gets 405 with Allow`(method: String) {
    let response = service.response(method, "/v1/decode?nonsense")
    #expect(response.isProblem(405, "method_not_allowed"))
    #expect(response["allow"] == ["GET, HEAD, OPTIONS"])
  }

  @Test(arguments: ["GET", "HEAD", "PUT"])
  func `the encode route accepts POST only`(method: String) {
    let response = service.response(method, "/v1/encode")
    #expect(response.isProblem(405, "method_not_allowed"))
    #expect(response["allow"] == ["POST, OPTIONS"])
  }

  @Test func `OPTIONS returns Allow without a body`() {
    let response = service.response("OPTIONS", "/v1/encode", ["origin": "https://a.example"])
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
    #expect(response["allow"] == ["POST, OPTIONS"])
    #expect(response.fields.allSatisfy { !$0.name.hasPrefix("access-control") })
  }

  @Test func `OPTIONS for the server lists the methods of all routes`() {
    let response = service.response("OPTIONS", "*")
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
    #expect(response["allow"] == ["GET, HEAD, POST, OPTIONS"])
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
