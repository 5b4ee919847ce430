import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem
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

  @Test(
    arguments: [
      ("jpeg-progressive.jpg", "exact=0"), ("orientation-6.jpg", "verify=false"),
      ("noise.png", "exact=0"), ("jpeg-icc-display-p3.jpg", "exact=0"),
    ]
      + [
        "components=2x5", "components=auto", "blurhash=fitted", "lqip=six", "lqip=corners",
        "background=#123456", "background=black", "exact", "lenient", "verify",
      ].map { ("orientation-6.png", $0) }
      + ["plain", "mastodon", "matrix", "activitypub", "nostr"].map {
        ("jpeg-progressive.jpg", "profile=\($0)")
      })
  func `a record equals the output of lqip encode with the same options`(
    name: String, option: String
  ) throws {
    let response = encode(try bytes(name), "?\(option)")
    #expect(response.status == 200)
    #expect(response["content-type"] == ["application/json"])
    #expect(response["cache-control"] == ["no-store"])
    let isDefault = option.hasSuffix("=0") || option.hasSuffix("=false")
    #expect(response.text == (try record(name, isDefault ? "--jobs=1" : "--\(option)")))
    #expect(response.text.contains("blurhash"))
    #expect(response.outcome == "ok")
    #expect(try #require(response.decodingTime) > .zero)
  }

  @Test func `a record tells whether an upload is known to have all of the image`() throws {
    let whole = try bytes("jpeg-textured-progressive-264x272.jpg")
    let cut = Array(whole.prefix(whole.count / 2))
    #expect(encode(whole).text.contains(#""complete":true,"#))
    #expect(encode(cut).status == 200 && !encode(cut).text.contains("complete"))
    #expect(encode(cut, "?verify").status == 422)
  }

  @Test(arguments: [
    "gzip", "br", "identity, gzip", "GZIP, identity", "x\"y", String(repeating: "x", count: 5000),
  ])
  func `a compressed body is rejected, with its coding in the error`(coding: String) throws {
    let response = encode(try bytes(photo), "", ["content-encoding": coding])
    #expect(response.isProblem(415, "unsupported_coding"))
    #expect(response["accept-encoding"] == ["identity"])
    let name = try #require(coding.split(separator: ", ").first { $0.lowercased() != "identity" })
    #expect(
      response.detail
        == "unsupported content coding '\(name.prefix(32))'; send the image without "
        + "Content-Encoding")
  }

  @Test(
    arguments: [
      ["content-encoding": "identity"], ["content-encoding": "Identity"], ["content-encoding": ""],
      ["content-encoding": " , identity"], ["content-type": "image/png"],
      ["content-type": "text/html"], ["content-type": "nonsense"],
    ] as [KeyValuePairs<String, String>])
  func `the identity coding and the media type of the request are ignored`(
    fields: KeyValuePairs<String, String>
  ) throws {
    #expect(encode(try bytes(photo), "", fields).text == (try record(photo)))
  }

  @Test func `every placeholder option has a parameter, checked before the body is read`() throws {
    for option in PlaceholderOptions.table {
      let head = RequestHead("POST", "/v1/encode?\(option.name.dropFirst(2))=nonsense")
      let response = try #require(service.refusal(of: head))
      #expect(response.isProblem(400, "bad_parameter"))
      #expect(response.detail?.hasPrefix("invalid value 'nonsense'") == true)
    }
  }

  @Test(arguments: ["--exact", "path=x", "max-bytes=1", "jobs=2", "EXACT", "output=/etc/passwd"])
  func `unsupported and misspelled parameters are rejected`(parameter: String) throws {
    let response = try #require(service.refusal(of: RequestHead("POST", "/v1/encode?\(parameter)")))
    #expect(response.isProblem(400, "bad_parameter"))
    #expect(response.detail?.hasPrefix("unknown parameter") == true)
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

  @Test func `an unsupported media type in Accept gets 406`() throws {
    let response = encode(try bytes(photo), "", ["accept": "image/png"])
    #expect(response.isProblem(406, "not_acceptable"))
    #expect(response.detail == "supported types: application/json, text/plain")
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

  @Test func `a missing codec library gets 503 with Retry-After`() throws {
    guard
      case (.handle(let handler), _) = service.router.admit(RequestHead("POST", "/v1/encode"))
    else { preconditionFailure("the route exists") }
    let body = RequestBody(expecting: 0, maximum: 0, budget: BodyBudget(byteCount: 0))
    let response = try handler.respond(body) { _, _, _ in
      .failed(RecordFailure(.internal, "giflib could not be loaded"))
    }
    #expect(response.isProblem(503, "internal"))
    #expect(response["retry-after"] == ["1"])
  }
}

@Suite struct EncodeRouteFormTests {
  private let service = TestService()

  private func encode(
    _ names: [String], timeout: Duration = .seconds(10),
    _ fields: KeyValuePairs<String, String> = [:]
  ) throws -> Response {
    var service = service
    service.limits.timeout = timeout
    let files = try names.map { (name: Optional($0), content: try Fixtures.bytes($0)) }
    return service.response(fields, form: files)
  }

  @Test func `each file has a record, even if it failed`() throws {
    let names = ["noise.png", "broken/bmp.bmp", "jpeg-progressive.jpg"]
    let response = try encode(names)
    #expect(response.status == 200)
    #expect(response.outcome == "ok")
    let lines = try names.map { name in
      let path = Fixtures.path(name)
      let line = try #require(try Program("encode", path).lines.first)
      return line.replacing("\"path\":\"\(path)\"", with: "\"path\":\"\(name)\"")
    }
    #expect(response.text == "[\(lines.joined(separator: ","))]\n")
  }

  @Test func `if all files fail, the response has all records and the status of the first`() throws
  {
    let response = try encode(["broken/bmp.bmp", "broken/empty.jpg"])
    #expect(response.status == 415)
    #expect(response.outcome == "unsupported_format")
    #expect(response["content-type"] == ["application/json"])
    #expect(response.text.hasPrefix("[{\"path\":\"broken/bmp.bmp\",\"error\":{"))
  }

  @Test func `the record of an unnamed file has no path`() throws {
    let response = service.response(form: [("", try Fixtures.bytes("noise.png"))])
    #expect(response.text.hasPrefix("[{\"mimetype\":\"image/png\","))
  }

  @Test func `a text response has one line per file, empty if the file failed`() throws {
    let response = try encode(
      ["noise.png", "broken/bmp.bmp", "noise.png"], ["accept": "text/plain"])
    let lines = response.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4)
    #expect(lines[0].count == 28 || lines[0].count == 36)
    #expect(lines[1] == "" && lines[2] == lines[0] && lines[3] == "")
  }

  @Test func `a form without files is rejected`() throws {
    #expect(try encode([]).isProblem(400, "no_files"))
    #expect(service.response(form: [(nil, Array("text".utf8))]).isProblem(400, "no_files"))
  }

  @Test func `a malformed form is rejected`() {
    let type: KeyValuePairs = ["content-type": "multipart/form-data; boundary=x"]
    #expect(
      service.response("POST", "/v1/encode", type, Array("--x".utf8)).isProblem(400, "bad_request"))
  }

  @Test func `the time limit applies to all files together`() throws {
    let response = try encode(["noise.png", "noise.png"], timeout: .nanoseconds(1))
    #expect(response.status == 504)
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]])
    let codes = records.map { ($0["error"] as? [String: String])?["code"] }
    #expect(codes == ["timeout", "timeout"])
  }
}
