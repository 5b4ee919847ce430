import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct LineReaderTests {
  private func lines(of text: String, terminator: UInt8 = 0x0A) throws -> [String] {
    let directory = try TemporaryDirectory()
    let file = try directory.write("lines", Array(text.utf8))
    let handle = try #require(FileHandle(forReadingAtPath: file))
    var ahead = try #require(LineReader(ahead: handle.fileDescriptor, terminator: terminator))
    let linesAhead = try lines(of: &ahead)
    var reader = LineReader(handle.fileDescriptor, terminator: terminator)
    let lines = try lines(of: &reader)
    #expect(linesAhead == lines)
    return lines
  }

  private func lines(of reader: inout LineReader) throws -> [String] {
    var lines: [String] = []
    while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]),
    ("a\r\nb c\n", ["a\r", "b c"]),
  ])
  func `only a newline ends a line`(text: String, expected: [String]) throws {
    #expect(try lines(of: text) == expected)
  }

  @Test(arguments: [
    ("", []), ("a\0", ["a"]), ("a\nb\0\0c\r\n\0d", ["a\nb", "", "c\r\n", "d"]), ("a\n", ["a\n"]),
  ])
  func `only a zero byte ends a line where it is to`(text: String, expected: [String]) throws {
    #expect(try lines(of: text, terminator: 0) == expected)
  }

  @Test func `a pipe cannot be read ahead, and a file is from where it stands`() throws {
    let pipe = Pipe()
    #expect(LineReader(ahead: pipe.fileHandleForReading.fileDescriptor) == nil)
    let directory = try TemporaryDirectory()
    let file = try directory.write("lines", Array("a\nb\nc".utf8))
    let handle = try #require(FileHandle(forReadingAtPath: file))
    try handle.seek(toOffset: 2)
    var reader = try #require(LineReader(ahead: handle.fileDescriptor))
    #expect(try lines(of: &reader) == ["b", "c"])
    #expect(try handle.offset() == 2)
  }

  @Test func `a pipe that somebody has made non-blocking is waited for`() throws {
    let pipe = Pipe()
    let number = pipe.fileHandleForReading.fileDescriptor
    _ = try SystemError.check { fcntl(number, F_SETFL, O_NONBLOCK) }
    let isBegun = Monitor(false)
    let thread = try SystemThread {
      _ = isBegun.wait(until: nil) { $0 ? true : nil }
      try? pipe.fileHandleForWriting.write(contentsOf: Data("a\nb".utf8))
      try? pipe.fileHandleForWriting.close()
    }
    var reader = LineReader(number)
    isBegun.update { $0 = true }
    #expect(try lines(of: &reader) == ["a", "b"])
    thread.join()
  }

  @Test func `lines may lie across two reads`() throws {
    let expected = (0..<20_000).map { "some/path/\($0).jpg" }
    #expect(try lines(of: expected.joined(separator: "\n")) == expected)
  }

  @Test func `lines are counted as they are read, empty ones too`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("lines", Array("a\n\nb".utf8))
    let handle = try #require(FileHandle(forReadingAtPath: file))
    var reader = LineReader(handle.fileDescriptor)
    for count in [1, 2, 3, 3] {
      _ = try reader.next()
      #expect(reader.count == count)
    }
  }

  @Test func `a line without end is refused`() {
    #expect(throws: SystemError.nameTooLong) {
      try lines(of: String(repeating: "x", count: 3 << 20))
    }
  }
}
