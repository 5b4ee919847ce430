import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct AccessLogTests {
  private let time = Timestamp(timespec(tv_sec: 1_700_000_000, tv_nsec: 5))

  private func summary() -> RequestSummary {
    RequestSummary(
      id: "a-1", method: "POST", route: "/v1/encode", status: 200, bytesIn: 10, bytesOut: 20,
      decodingTime: .microseconds(1500), totalTime: .microseconds(2250), outcome: "ok")
  }

  @Test func `a JSON line has every field of the summary`() throws {
    let line = AccessLog.json(summary(), at: time).bytes
    let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    let expected: [String: Any] = [
      "time": "2023-11-14T22:13:20.000000005Z", "id": "a-1", "method": "POST",
      "route": "/v1/encode", "status": 200, "outcome": "ok", "bytes_in": 10, "bytes_out": 20,
      "decode_ms": 1.5, "total_ms": 2.25,
    ]
    #expect(try #require(object) as NSDictionary == expected as NSDictionary)
  }

  @Test func `the client and the trace are logged, and long values are truncated`() throws {
    var summary = summary()
    summary.client = "192.0.2.1"
    summary.trace = "00-a-b-01"
    summary.method = String(repeating: "M", count: 5000)
    let line = AccessLog.json(summary, at: time).bytes
    let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    #expect(object?["client"] as? String == "192.0.2.1")
    #expect(object?["trace"] as? String == "00-a-b-01")
    #expect((object?["method"] as? String)?.count == 128)
    let text = AccessLog.text(summary, at: time)
    #expect(text.hasSuffix("ms client=192.0.2.1 trace=00-a-b-01"))
    #expect(text.count < 400)
  }

  @Test func `unknown values are omitted from a log line`() throws {
    let line = AccessLog.json(RequestSummary(), at: time).bytes
    let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    #expect(object?["route"] == nil)
    #expect(object?["decode_ms"] == nil)
    #expect(object?["status"] as? Int == 499)
  }

  @Test func `a text line has every field of the summary`() throws {
    let line = AccessLog.text(summary(), at: time)
    #expect(
      line == "2023-11-14T22:13:20.000000005Z a-1 POST /v1/encode "
        + "200 ok in=10 out=20 decode=1.5ms total=2.25ms")
  }

  @Test func `a client cannot inject lines or columns into the log`() throws {
    var summary = summary()
    summary.method = "G\nT x"
    summary.client = "a\u{2028}b\u{202E}c"
    summary.id = ""
    let line = AccessLog.text(summary, at: time)
    #expect(line.contains("Z - G?T?x /v1"))
    #expect(line.hasSuffix("client=a?b?c"))
  }

  @Test func `with the log format none, no lines are written`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("log", [])
    let file = try #require(FileHandle(forWritingAtPath: path))
    let writer = try LogWriter(descriptor: file.fileDescriptor)
    for format in [AccessLog.Format.none, .json, .json, .text] {
      AccessLog(format: format, writer: writer).write(summary())
    }
    writer.flush(within: .seconds(20))
    let lines = try directory.text(of: "log").split(separator: "\n")
    #expect(lines.count == 3)
  }

  @Test func `a connection without a request is logged`() {
    let summary = RequestSummary(outcome: "malformed")
    let line = #"{"time":"2023-11-14T22:13:20.000000005Z","outcome":"malformed","client":"-"}"#
    #expect(AccessLog.json(summary, at: time).bytes == Array(line.utf8))
    #expect(
      AccessLog.text(summary, at: time)
        == "2023-11-14T22:13:20.000000005Z - - - - malformed client=-")
  }
}
