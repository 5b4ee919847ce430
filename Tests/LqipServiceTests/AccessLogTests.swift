import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords
@testable import LqipService

@Suite struct AccessLogTests {
  private let time = Timestamp(timespec(tv_sec: 1_700_000_000, tv_nsec: 5))

  private func summary() -> RequestSummary {
    RequestSummary(
      id: "a-1", method: "POST", route: "/v1/encode", status: 200, bytesIn: 10, bytesOut: 20,
      decodingTime: .microseconds(1500), totalTime: .microseconds(2250), outcome: "ok")
  }

  @Test func `a line of JSON tells all`() throws {
    let line = try #require(AccessLog(format: .json).line(summary(), at: time))
    let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    let expected: [String: Any] = [
      "time": "2023-11-14T22:13:20.000000005Z", "id": "a-1", "method": "POST",
      "route": "/v1/encode", "status": 200, "outcome": "ok", "bytes_in": 10, "bytes_out": 20,
      "decode_ms": 1.5, "total_ms": 2.25,
    ]
    #expect(try #require(object) as NSDictionary == expected as NSDictionary)
  }

  @Test func `what is not known is left out`() throws {
    let line = try #require(AccessLog(format: .json).line(RequestSummary(), at: time))
    let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    #expect(object?["route"] == nil)
    #expect(object?["decode_ms"] == nil)
    #expect(object?["status"] as? Int == 499)
  }

  @Test func `a line of text tells all`() throws {
    let line = try #require(AccessLog(format: .text).line(summary(), at: time))
    #expect(
      String(decoding: line, as: UTF8.self) == "2023-11-14T22:13:20.000000005Z a-1 POST /v1/encode "
        + "200 ok in=10 out=20 decode=1.5ms total=2.25ms")
  }

  @Test func `a client cannot write lines or columns of its own`() throws {
    var summary = summary()
    summary.method = "G\nT x"
    summary.id = ""
    let line = try #require(AccessLog(format: .text).line(summary, at: time))
    #expect(String(decoding: line, as: UTF8.self).contains("Z - G?T?x /v1"))
  }

  @Test func `lines go to the descriptor, or nowhere`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("log", [])
    let file = try #require(FileHandle(forWritingAtPath: path))
    AccessLog(format: .none, descriptor: file.fileDescriptor).requestFinished(summary())
    #expect(try directory.text(of: "log").isEmpty)
    for _ in 1...2 {
      AccessLog(format: .json, descriptor: file.fileDescriptor).requestFinished(summary())
    }
    #expect(try directory.text(of: "log").split(separator: "\n").count == 2)
  }
}
