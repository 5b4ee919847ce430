import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

@Suite struct LineReaderTests {
  private func lines(of text: String, terminator: UInt8? = 0x0A) throws -> [String] {
    let directory = TemporaryDirectory()
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

  @Test(
    arguments: [
      ("", 10, []), ("a", 10, ["a"]), ("a\n", 10, ["a"]), ("a\n\nb", 10, ["a", "", "b"]),
      ("\n", 10, [""]), ("a\r\nb\0c\n", 10, ["a\r", "b\0c"]), ("a\0", 0, ["a"]),
      ("a\n", 0, ["a\n"]),
      ("a\nb\0\0c\r\n\0d", 0, ["a\nb", "", "c\r\n", "d"]), ("", nil, []), ("a", nil, ["a"]),
      ("a\nb\n", nil, ["a", "b"]), ("a\0b", nil, ["a", "b"]), ("\0", nil, [""]),
      ("a\nb\0", nil, ["a\nb"]), ("a\n\0", nil, ["a\n"]),
    ] as [(String, UInt8?, [String])])
  func `lines end at the given terminator or, by default, at the detected one`(
    text: String, terminator: UInt8?, expected: [String]
  ) throws {
    #expect(try lines(of: text, terminator: terminator) == expected)
  }

  @Test(arguments: ["\n", "\0"])
  func `a line that spans two reads is returned complete`(terminator: String) throws {
    let expected = (0..<20_000).map { "some/path/\($0).jpg" }
    let text = expected.joined(separator: terminator)
    #expect(try lines(of: text, terminator: nil) == expected)
  }

  @Test func `the terminator is detected behind a first line that is longer than a chunk`() throws {
    let long = String(repeating: "a", count: 100_000)
    #expect(try lines(of: "\(long)\0b\nc", terminator: nil) == [long, "b\nc"])
    #expect(try lines(of: "\(long)\nb\0c", terminator: nil).count == 2)
  }

  @Test func `the fraction read grows from 0 to 1 for a file and is nil for a pipe`() throws {
    let directory = TemporaryDirectory()
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

  @Test func `the reader waits for data from a non-blocking pipe`() throws {
    let pipe = Pipe()
    let number = pipe.fileHandleForReading.fileDescriptor
    _ = try SystemError.check { fcntl(number, F_SETFL, O_NONBLOCK) }
    let isBegun = Monitor(false)
    try SystemThread.start {
      _ = isBegun.wait(until: nil) { $0 ? true : nil }
      try? pipe.fileHandleForWriting.write(contentsOf: Data("a\nb".utf8))
      try? pipe.fileHandleForWriting.close()
    }
    var reader = LineReader(number)
    isBegun.update { $0 = true }
    #expect(try lines(of: &reader) == ["a", "b"])
  }
}

@Suite struct StatusLineTests {
  private var status = StatusLine()

  @Test
  mutating func `the status line is redrawn when it changes, and stays below printed lines`() {
    #expect(status.print("before") == "before\n")
    #expect(status.show("one") == "\rone\u{1B}[K")
    #expect(status.show("one") == "")
    #expect(status.print("between") == "\r\u{1B}[Kbetween\none")
    #expect(status.show("two") == "\rtwo\u{1B}[K")
    #expect(status.show("") == "\r\u{1B}[K")
    #expect(status.show("") == "")
    #expect(status.print("after") == "after\n")
  }
}

@Suite struct TerminalTests {
  @Test(
    arguments: [
      ("xterm-256color", nil, true, true), ("xterm", "", true, true), ("xterm", "1", true, false),
      ("xterm", "0", true, false), ("dumb", nil, false, false), ("", nil, false, false),
      (nil, nil, false, false),
    ] as [(String?, String?, Bool, Bool)])
  func `TERM and NO_COLOR determine a terminal's capabilities`(
    type: String?, noColor: String?, canErase: Bool, hasColor: Bool
  ) {
    let terminal = Terminal(type: type, noColor: noColor)
    #expect(terminal.canErase == canErase)
    #expect(terminal.hasColor == hasColor)
  }
}
