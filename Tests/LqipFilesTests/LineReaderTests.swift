import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct LineReaderTests {
  private func lines(of text: String, terminator: UInt8? = 0x0A) throws -> [String] {
    let directory = try TemporaryDirectory()
    let file = try directory.write("lines", Array(text.utf8))
    let handle = try #require(FileHandle(forReadingAtPath: file))
    var reader = LineReader(handle.fileDescriptor, terminator: terminator)
    return try lines(of: &reader)
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
  func `only a zero byte ends a line if it is the terminator`(text: String, expected: [String])
    throws
  {
    #expect(try lines(of: text, terminator: 0) == expected)
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\nb\n", ["a", "b"]), ("a\0b", ["a", "b"]), ("\0", [""]),
    ("a\nb\0", ["a\nb"]), ("a\n\0", ["a\n"]),
  ])
  func `a zero byte at the beginning of the input ends lines`(text: String, expected: [String])
    throws
  {
    #expect(try lines(of: text, terminator: nil) == expected)
    let long = (0..<20_000).map { "some/path/\($0).jpg" }
    let end = text.contains("\0") ? "\0" : "\n"
    #expect(try lines(of: long.map { $0 + end }.joined(), terminator: nil) == long)
  }

  @Test func `the fraction of a file grows from 0 to 1, and is unknown for a pipe`() throws {
    let directory = try TemporaryDirectory()
    let text = (10_000..<40_000).map { "\($0)\n" }.joined()
    let file = try directory.write("lines", Array(text.utf8))
    let handle = try #require(FileHandle(forReadingAtPath: file))
    var reader = LineReader(handle.fileDescriptor)
    for count in 1...30_000 {
      _ = try reader.next()
      #expect(reader.fraction == Double(count) / 30_000)
    }
    #expect(LineReader(Pipe().fileHandleForReading.fileDescriptor).fraction == nil)
  }

  @Test func `a non-blocking pipe is waited for`() throws {
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

  @Test func `lines across two reads are complete`() throws {
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

  @Test func `a line of more than 1 MiB is refused`() {
    #expect(throws: SystemError.nameTooLong) {
      try lines(of: String(repeating: "x", count: 3 << 20))
    }
  }
}
