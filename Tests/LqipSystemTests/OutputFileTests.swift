import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

@Suite struct OutputFileTests {
  private let directory = TemporaryDirectory()
  private let path: FilePath

  init() {
    path = FilePath(directory.file("out"))
  }

  @Test(arguments: [nil, "old"])
  func `the output is replaced only by a commit`(old: String?) throws {
    if let old { try directory.write("out", Array(old.utf8)) }
    for commits in [false, true] {
      do {
        var output = try OutputFile(OutputDestination(path))
        try output.write(Array("new".utf8))
        #expect(try directory.names.contains("out") == (old != nil))
        if commits { try output.commit() }
      }
      let expected = commits ? "new" : old
      #expect(try directory.names == (expected == nil ? [] : ["out"]))
      if let expected { #expect(try directory.text(of: "out") == expected) }
    }
  }

  @Test(
    .enabled(if: getuid() == 0, "only root may change the owner of a file"),
    arguments: [true, false])
  func `a replaced file keeps its owner, group and permissions`(isRewritten: Bool) throws {
    try directory.write("out", Array("old".utf8))
    try #require(unsafe chown("\(path)", 12_345, 23_456) == 0)
    try #require(unsafe chmod("\(path)", 0o640) == 0)
    if isRewritten {
      try rewrite(["new"])
    } else {
      var output = try OutputFile(OutputDestination(path))
      try output.write(Array("new".utf8))
      let draft = FilePath(directory.file(".out.part"))
      #expect(try FileStatus(of: draft, followsLinks: false).owner == 12_345)
      try output.commit()
    }
    #expect(try directory.text(of: "out") == "new")
    let status = try FileStatus(of: path, followsLinks: false)
    #expect(status.owner == 12_345 && status.group == 23_456 && status.permissions == 0o640)
  }

  @Test func `a write error contains the path and the system's message`() {
    #expect(throws: CommandError.output("\(directory.path): cannot write: Is a directory")) {
      _ = try OutputFile(OutputDestination(FilePath(directory.path)))
    }
  }

  @Test(arguments: [
    ([], ""), ([0..<10], "0123456789"), ([0..<4, 4..<10], "0123456789"),
    ([0..<4, 6..<10], "01236789"),
    ([2..<4], "23"), ([0..<5], "01234"), ([0..<9], "012345678"), ([0..<2, 0..<2, 9..<10], "01019"),
  ])
  func `ranges of the old file can be copied, and identical content leaves the file untouched`(
    parts: [Range<Int>], expected: String
  ) throws {
    // The bytes of each digit fill more than half of the output's buffer.
    let length = 9000
    func content(_ digits: String) -> [UInt8] {
      digits.utf8.flatMap { [UInt8](repeating: $0, count: length) }
    }
    let all = "0123456789"
    for (before, after) in [
      ("", ""), ("x", ""), ("", "x"), ("", "56789"), (all, ""), (all, "x"), ("01234x6789", ""),
    ] {
      try directory.write("out", content(all))
      let old = try FileStatus(of: path, followsLinks: false)
      var output = try OutputFile(OutputDestination(path))
      let previous = try #require(try output.openPrevious()?.release())
      #expect(try FileDescriptor.read(previous, at: 0, upTo: 20) == Array(content(all).prefix(20)))
      close(previous)
      for digit in before { try output.write(content("\(digit)")) }
      for part in parts { try output.copy(part.lowerBound * length..<part.upperBound * length) }
      for digit in after { try output.write(content("\(digit)")) }
      try output.commit()
      let written = before + expected + after
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)")) == Data(content(written)))
      let status = try FileStatus(of: path, followsLinks: false)
      #expect((status.identity == old.identity) == (written == all))
      #expect(try directory.names == ["out"])
    }
  }

  @Test func `a draft that is not a regular file is rejected`() throws {
    try directory.link(".out.part", to: "elsewhere")
    #expect(
      throws: CommandError.output("\(path): cannot write: Too many levels of symbolic links")
    ) {
      _ = try OutputFile(OutputDestination(path))
    }
    try FileManager.default.removeItem(atPath: directory.file(".out.part"))
    try #require(unsafe mkfifo(directory.file(".out.part"), 0o600) == 0)
    #expect(throws: CommandError.output("\(path): cannot write: File exists")) {
      _ = try OutputFile(OutputDestination(path))
    }
  }

  @Test func `a rewrite replaces the file, or leaves it unchanged after an error`() throws {
    let parts = (0..<100).map { String(repeating: "\($0) ", count: 1000) }
    try rewrite(parts)
    #expect(try directory.text(of: "out") == parts.joined())
    #expect(throws: CommandError.input("no")) { try rewrite(parts.reversed(), failsAtEnd: true) }
    #expect(try directory.text(of: "out") == parts.joined())
    #expect(try directory.names == ["out"])
  }

  private func rewrite(_ parts: [String], failsAtEnd: Bool = false) throws(CommandError) {
    try OutputFile.rewrite(path) { output throws(CommandError) in
      for part in parts { try output.write(Array(part.utf8)) }
      if failsAtEnd { throw .input("no") }
    }
  }
}
