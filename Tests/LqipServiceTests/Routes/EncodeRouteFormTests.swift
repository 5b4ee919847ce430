import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService
@testable import Placeholders

@Suite struct EncodeRouteFormTests {
  private let service = TestService()

  private func encode(
    _ names: [String], timeout: Duration = .seconds(10),
    _ fields: KeyValuePairs<String, String> = [:]
  ) throws -> Response {
    var service = service
    service.limits.timeout = timeout
    let files = try names.map { (name: Optional($0), content: try Fixtures.bytes($0)) }
    return service.response("POST", "/v1/encode", fields, form: files)
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
    #expect(try encode(["noise.png"], timeout: .nanoseconds(1)).status == 504)
  }

  @Test func `the record of an unnamed file has no path`() throws {
    let response = service.response(
      "POST", "/v1/encode", form: [("", try Fixtures.bytes("noise.png"))])
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
    #expect(
      service.response("POST", "/v1/encode", form: [(nil, Array("text".utf8))])
        .isProblem(400, "no_files"))
  }

  @Test func `a malformed form and a form with too many files are rejected`() {
    let type: KeyValuePairs = ["content-type": "multipart/form-data; boundary=x"]
    #expect(
      service.response("POST", "/v1/encode", type, Array("--x".utf8)).isProblem(400, "bad_request"))
    let response = service.response(
      "POST", "/v1/encode", form: Array(repeating: ("a", []), count: 101))
    #expect(response.isProblem(413, "too_large"))
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
