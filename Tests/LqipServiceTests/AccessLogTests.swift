import Foundation
import PlaceholderEncoding
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

@Suite struct AccessLogTests {
  private func summary() -> RequestSummary {
    RequestSummary(
      id: "a-1", method: "POST", route: "/v1/encode", status: 200, bytesIn: 10, bytesOut: 20,
      decodingTime: .microseconds(1500), totalTime: .microseconds(2250), outcome: "ok")
  }

  private func members(of summary: RequestSummary) -> [(name: String, value: JSON?)] {
    AccessLog.members(
      of: summary, at: Timestamp(timespec(tv_sec: 1_700_000_000, tv_nsec: 5)))
  }

  private func json(_ summary: RequestSummary) -> String {
    String(decoding: AccessLog.json(of: members(of: summary)).bytes, as: UTF8.self)
  }

  private func text(_ summary: RequestSummary) -> String {
    AccessLog.text(of: members(of: summary))
  }

  @Test func `a line has every known value`() throws {
    #expect(
      json(summary())
        == #"{"time":"2023-11-14T22:13:20.000000005Z","id":"a-1","method":"POST","#
        + #""route":"/v1/encode","status":200,"outcome":"ok","bytes_in":10,"bytes_out":20,"#
        + #""decode_ms":1.5,"total_ms":2.25}"#)
    #expect(
      text(summary()) == "2023-11-14T22:13:20.000000005Z a-1 POST - /v1/encode "
        + "200 ok bytes_in=10 bytes_out=20 decode_ms=1.5 total_ms=2.25")
  }

  @Test func `unknown values are omitted, and long values are truncated`() throws {
    var summary = RequestSummary(client: "192.0.2.1")
    summary.method = String(repeating: "M", count: 5000)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json(summary).utf8)) as? [String: Any])
    #expect(object["route"] == nil && object["decode_ms"] == nil)
    #expect(object["status"] as? Int == 499)
    #expect(object["client"] as? String == "192.0.2.1")
    #expect((object["method"] as? String)?.count == 128)
    #expect(text(summary).count < 400)
    summary.method = "e" + String(repeating: "\u{301}", count: 5000)
    #expect(json(summary).utf8.count < 600)
  }

  @Test func `a client cannot inject lines or columns into the log`() throws {
    var summary = summary()
    summary.method = "G\nT x"
    summary.client = "a\u{2028}b\u{202E}c"
    summary.id = ""
    #expect(text(summary).contains("Z - G?T?x a?b?c /v1"))
  }

  @Test func `a connection without a request is logged`() {
    let summary = RequestSummary(outcome: "malformed")
    #expect(
      json(summary)
        == #"{"time":"2023-11-14T22:13:20.000000005Z","outcome":"malformed","client":"-"}"#)
    #expect(text(summary) == "2023-11-14T22:13:20.000000005Z malformed client=-")
  }
}

@Suite struct LogWriterTests {
  private let pipe = Pipe()

  private func writer() throws -> LogWriter {
    try LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
  }

  @Test func `lines are written in order, and none with the log format none`() throws {
    let writer = try writer()
    AccessLog(format: .none, writer: writer).write(RequestSummary())
    for number in 1...100 { writer.write(Array("line \(number)".utf8)) }
    writer.flush(within: .seconds(20))
    let expected = (1...100).map { "line \($0)\n" }.joined()
    #expect(pipe.fileHandleForReading.availableData == Data(expected.utf8))
    for format in [AccessLog.Format.text, .json] {
      AccessLog(format: format, writer: writer).write(RequestSummary())
    }
    writer.flush(within: .seconds(20))
    let lines = pipe.fileHandleForReading.availableData.split(separator: UInt8(ascii: "\n"))
    #expect(lines.map { $0.starts(with: Data("{".utf8)) } == [false, true])
    #expect(writer.droppedCount == 0)
  }

  #if os(Linux)
  @Test func `lines that a full disk does not take are counted`() throws {
    let full = try FileDescriptor(opening: FilePath("/dev/full"), O_WRONLY)
    let writer = try LogWriter(descriptor: full.number)
    for _ in 1...3 { writer.write([UInt8](repeating: 65, count: 10)) }
    writer.flush(within: .seconds(20))
    #expect(writer.droppedCount == 3)
  }
  #endif

  @Test func `a stalled reader does not block writers, and dropped lines are counted`() throws {
    let writer = try writer()
    let line = [UInt8](repeating: 65, count: 999)
    for _ in 1...3000 { writer.write(line) }
    // One MiB is queued and at most another one is being written: 1049 lines each.
    let dropped = writer.droppedCount
    #expect(dropped > 800 && dropped < 2000)
    writer.flush(within: .milliseconds(10))
    var lines = 0
    while lines < (3000 - dropped) * 1000 { lines += pipe.fileHandleForReading.availableData.count }
    writer.flush(within: .seconds(20))
    #expect(lines == (3000 - dropped) * 1000)
    writer.write(line)
    #expect(pipe.fileHandleForReading.availableData.count == 1000)
    #expect(writer.droppedCount == dropped)
  }
}
