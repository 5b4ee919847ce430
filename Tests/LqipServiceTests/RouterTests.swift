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
    for method in ["GET", "POST", "OPTIONS", "BREW"] where (method, path) != ("OPTIONS", "*") {
      let head = RequestHead(method: method, path: path, query: [], fields: [], id: "test")
      guard case (.answer(let response), nil) = service.router.admit(head) else {
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

  @Test func `options of the server as a whole are the methods of all that it has`() {
    let response = service.response("OPTIONS", "*")
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
    #expect(response["allow"] == ["GET, HEAD, POST, OPTIONS"])
  }

  @Test func `only images take a body, and only images and previews a place`() {
    var service = service
    service.limits.byteCount = 1234
    let heads = [RequestHead("POST", "/v1/encode")] + Self.readable.map { RequestHead("GET", $0) }
    for head in heads {
      let (acceptance, route) = service.router.admit(head)
      #expect(route == head.path)
      switch acceptance {
      case .answer(let response):
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
    service.readiness.drain()
    let response = service.response("GET", "/readyz")
    #expect(response.isProblem(503, "draining"))
    #expect(response["retry-after"] == ["1"])
    #expect(service.response("GET", "/healthz").text == "ok\n")
  }
}
