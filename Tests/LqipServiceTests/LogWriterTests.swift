import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct LogWriterTests {
  private let pipe = Pipe()

  private func writer() throws -> LogWriter {
    try LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
  }

  @Test func `lines are written in order`() throws {
    let writer = try writer()
    for number in 1...100 { writer.write(Array("line \(number)".utf8)) }
    writer.flush(within: .seconds(20))
    let expected = (1...100).map { "line \($0)\n" }.joined()
    #expect(pipe.fileHandleForReading.availableData == Data(expected.utf8))
    #expect(writer.droppedCount == 0)
  }

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
