import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService
@testable import Placeholders

@Suite struct EncodeRouteTests {
  private let service = TestService()
  private let photo = "jpeg-progressive.jpg"

  private func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(name)
  }

  private func encode(
    _ bytes: [UInt8], _ query: String = "", _ fields: KeyValuePairs<String, String> = [:]
  ) -> Response {
    service.response("POST", "/v1/encode\(query)", fields, bytes)
  }

  /// Returns the record that `lqip encode` writes for a file, without its path.
  private func record(_ name: String, _ option: String = "--jobs=1") throws -> String {
    let path = Fixtures.path(name)
    let line = try #require(try Program("encode", path, option).lines.first)
    return line.replacing("{\"path\":\"\(path)\",", with: "{") + "\n"
  }

  @Test(arguments: [
    "jpeg-progressive.jpg", "orientation-6.jpg", "noise.png", "jpeg-icc-display-p3.jpg",
  ])
  func `a record equals the output of lqip encode`(name: String) throws {
    let response = encode(try bytes(name))
    #expect(response.status == 200)
    #expect(response["content-type"] == ["application/json"])
    #expect(response["cache-control"] == ["no-store"])
    #expect(response.text == (try record(name)))
    #expect(response.outcome == "ok")
    #expect(try #require(response.decodingTime) > .zero)
  }

  @Test(arguments: [
    "components=2x5", "components=auto", "blurhash=fitted", "lqip=six", "lqip=corners",
    "background=#123456", "background=black", "exact", "lenient", "verify",
  ])
  func `a parameter has the effect of its command-line option`(option: String) throws {
    let name = "orientation-6.png"
    let response = encode(try bytes(name), "?\(option)")
    #expect(response.text == (try record(name, "--\(option)")))
  }

  @Test(arguments: ["gzip", "br", "identity, gzip", "GZIP, identity", "x\"y"])
  func `a compressed body is rejected, with its coding in the error`(coding: String) throws {
    let response = encode(try bytes(photo), "", ["content-encoding": coding])
    #expect(response.isProblem(415, "unsupported_coding"))
    #expect(response["accept-encoding"] == ["identity"])
    let name = try #require(
      coding.split(separator: ", ").first { $0.lowercased() != "identity" })
    #expect(
      response.detail
        == "unsupported content coding '\(name)'; send the image without Content-Encoding")
  }

  @Test
  func `the identity coding is accepted, and an error message shortens a long Content-Encoding`()
    throws
  {
    for coding in ["identity", "Identity", "", " , identity"] {
      #expect(encode(try bytes(photo), "", ["content-encoding": coding]).status == 200)
    }
    let long = String(repeating: "x", count: 5000)
    let response = encode([], "", ["content-encoding": long])
    #expect(response.detail?.count ?? 500 < 200)
  }

  @Test func `several parameters can be combined`() throws {
    let response = encode(try bytes(photo), "?exact=true&lqip=six&verify=0&lenient=1")
    let path = Fixtures.path(photo)
    let run = try Program("encode", path, "--exact", "--lqip=six", "--lenient")
    let members = "{\"path\":\"\(path)\"," + response.text.dropFirst()
    #expect(members.utf8.elementsEqual(run.output))
  }

  @Test func `every placeholder option has a parameter`() throws {
    let image = try bytes(photo)
    for option in PlaceholderOptions.table {
      let response = encode(image, "?\(option.name.dropFirst(2))=nonsense")
      #expect(response.isProblem(400, "bad_parameter"))
      #expect(response.detail?.hasPrefix("invalid value 'nonsense'") == true)
    }
  }

  @Test(arguments: ["--exact", "path=x", "max-bytes=1", "jobs=2", "EXACT", "output=/etc/passwd"])
  func `unsupported and misspelled parameters are rejected`(parameter: String) throws {
    let response = encode(try bytes(photo), "?\(parameter)")
    #expect(response.isProblem(400, "bad_parameter"))
    #expect(response.detail?.hasPrefix("unknown parameter") == true)
  }

  @Test func `an invalid query is rejected before the body is read`() {
    let head = RequestHead("POST", "/v1/encode?components=0x0")
    guard case (.respond(let response), let route) = service.router.admit(head) else {
      Issue.record("the request is accepted")
      return
    }
    #expect(route == "/v1/encode")
    #expect(response.isProblem(400, "bad_parameter"))
  }

  @Test func `an unknown profile is rejected with a list of the supported ones`() throws {
    #expect(encode(try bytes(photo), "?profile=plain").text == (try record(photo)))
    let response = encode(try bytes(photo), "?profile=none")
    #expect(response.isProblem(400, "bad_parameter"))
    #expect(response.detail?.contains("expected plain, mastodon") == true)
  }

  @Test func `a text response contains only the BlurHash by default`() throws {
    let response = encode(try bytes(photo), "", ["accept": "text/plain"])
    let object = try JSONSerialization.jsonObject(with: Data(try record(photo).utf8))
    let hash = try #require((object as? [String: Any])?["blurhash"] as? String)
    #expect(response.text == hash + "\n")
    #expect(response["content-type"] == ["text/plain; charset=utf-8"])
  }

  @Test func `a text response contains the requested kind, and several kinds are rejected`() throws
  {
    let lqip = encode(try bytes(photo), "?kinds=lqip", ["accept": "text/plain"])
    #expect(lqip.text.hasPrefix("#") && lqip.text.count == 10)
    let both = encode(try bytes(photo), "?kinds=lqip,css", ["accept": "text/plain"])
    #expect(both.isProblem(400, "bad_parameter"))
  }

  @Test(arguments: ["mastodon", "matrix", "activitypub", "nostr"])
  func `a response with a profile equals the output of lqip encode`(profile: String) throws {
    let response = encode(try bytes(photo), "?profile=\(profile)")
    #expect(response.text == (try record(photo, "--profile=\(profile)")))
    #expect(response.text.contains("blurhash"))
  }

  @Test func `an unsupported media type in Accept gets 406`() throws {
    let response = encode(try bytes(photo), "", ["accept": "image/png"])
    #expect(response.isProblem(406, "not_acceptable"))
    #expect(response.detail == "supported types: application/json, text/plain")
  }

  @Test(arguments: ["image/png", "text/html", "application/octet-stream", "nonsense"])
  func `the media type of the request is ignored`(type: String) throws {
    #expect(encode(try bytes(photo), "", ["content-type": type]).text == (try record(photo)))
  }

  @Test(arguments: [
    ("broken/bmp.bmp", 415, "unsupported_format"), ("broken/empty.jpg", 415, "unsupported_format"),
    ("broken/jpeg-cut-baseline.jpg", 422, "truncated"),
    ("broken/png-bad-filter.png", 422, "corrupt"),
    ("broken/png-60000x60000.png", 422, "too_large"),
  ])
  func `an image that fails gets the error code and message of lqip encode`(
    name: String, status: Int, code: String
  ) throws {
    let response = encode(try bytes(name))
    #expect(response.isProblem(status, code))
    let run = try Program("encode", Fixtures.path(name))
    let error = try run.records.first?["error"] as? [String: String]
    #expect(error?["code"] == code)
    #expect(response.detail == error?["message"])
  }

  @Test func `too many bytes get 413 and too many pixels get 422`() throws {
    var service = service
    let image = try bytes(photo)
    service.limits.byteCount = image.count
    #expect(service.response("POST", "/v1/encode", [:], image).status == 200)
    service.limits.byteCount -= 1
    let response = service.response("POST", "/v1/encode", [:], image)
    #expect(response.isProblem(413, "too_large"))
    service.limits.byteCount += 1
    service.limits.pixelCount = 1
    #expect(service.response("POST", "/v1/encode", [:], image).isProblem(422, "too_large"))
  }

  @Test
  func `a missing codec library gets 503 with Retry-After`()
    throws
  {
    guard
      case (.handle(let handler), _) = service.router.admit(RequestHead("POST", "/v1/encode"))
    else { preconditionFailure("the route exists") }
    let body = RequestBody(
      expecting: 0, maximum: 0, budget: BodyBudget(byteCount: 0, largest: 0))
    let response = try handler.respond(body) { _, _, _ in
      .failed(RecordFailure(.internal, "giflib could not be loaded"), nil)
    }
    #expect(response.isProblem(503, "internal"))
    #expect(response["retry-after"] == ["1"])
  }

  @Test func `an image that exceeds the time limit gets 504`() throws {
    var service = service
    service.limits.timeout = .zero
    let response = service.response("POST", "/v1/encode", [:], try bytes(photo))
    #expect(response.isProblem(504, "timeout"))
  }
}
