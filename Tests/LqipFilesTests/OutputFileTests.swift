import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct OutputFileTests {
  private let directory: TemporaryDirectory
  private let path: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    path = FilePath(directory.file("out"))
  }

  @Test func `a file appears at the commit and not before`() throws {
    var output = try OutputFile(OutputDestination(path))
    try output.write(Array("new".utf8))
    #expect(try !directory.names.contains("out"))
    try output.commit()
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "new")
  }

  @Test func `without a commit the old file stays and nothing else does`() throws {
    try directory.write("out", Array("old".utf8))
    do {
      var output = try OutputFile(OutputDestination(path))
      try output.write(Array("new".utf8))
    }
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "old")
  }

  @Test func `what a killed run has left beside the file is used up by the next`() throws {
    try directory.write(".out.tmp", Array("half of a record that is longer than all".utf8))
    var output = try OutputFile(OutputDestination(path))
    try output.write(Array("new".utf8))
    try output.commit()
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "new")
  }

  @Test func `two runs that write the same file have drafts of their own`() throws {
    var one = try OutputFile(OutputDestination(path))
    var other = try OutputFile(OutputDestination(path))
    #expect(one.draft != other.draft)
    try one.write(Array("one".utf8))
    try other.write(Array("other".utf8))
    try one.commit()
    #expect(try directory.text(of: "out") == "one")
    try other.commit()
    #expect(try directory.text(of: "out") == "other")
    #expect(try directory.names == ["out"])
  }

  @Test func `a replaced file keeps its permissions`() throws {
    try directory.write("out", [])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: "\(path)")
    let output = try OutputFile(OutputDestination(path))
    try output.commit()
    #expect(try FileStatus(of: path, followsLinks: false).permissions == 0o640)
  }

  @Test(
    .enabled(if: getuid() == 0, "files are given away by root alone"), arguments: [[], [0..<1]])
  func `a replaced file keeps its owner and its group`(removed: [Range<Int>]) throws {
    try directory.write("out", Array("old".utf8))
    try #require(unsafe chown("\(path)", 12_345, 23_456) == 0)
    try #require(unsafe chmod("\(path)", 0o640) == 0)
    var output = try OutputFile(OutputDestination(path))
    try output.write(Array("new".utf8))
    for name in try directory.names {
      let status = try FileStatus(of: FilePath(directory.file(name)), followsLinks: false)
      #expect(status.owner == 12_345 && status.group == 23_456 && status.permissions == 0o640)
    }
    #expect(try directory.names.count == 2)
    try output.commit(removing: removed)
    let status = try FileStatus(of: path, followsLinks: false)
    #expect(status.owner == 12_345 && status.group == 23_456 && status.permissions == 0o640)
  }

  @Test(.disabled(if: getuid() == 0, "root may give files away"))
  func `a file that may not be given away is replaced by one of our own`() throws {
    let before = try FileStatus(of: FilePath("/etc/passwd"), followsLinks: true)
    let file = try OutputFile.create(path, like: before)
    let status = try FileStatus(of: file.number)
    #expect(status.owner == getuid() && status.permissions == before.permissions)
  }

  @Test func `a symbolic link stays and its target is replaced`() throws {
    try directory.write("real", Array("old".utf8))
    try directory.link("out", to: "real")
    var output = try OutputFile(OutputDestination(path))
    try output.write(Array("new".utf8))
    try output.commit()
    #expect(try FileStatus(of: path, followsLinks: false).kind == .symbolicLink)
    #expect(try directory.text(of: "real") == "new")
  }

  @Test func `a device is written and never replaced`() throws {
    var output = try OutputFile(OutputDestination(FilePath("/dev/null")))
    try output.write([0])
    try output.commit()
    #expect(try FileStatus(of: FilePath("/dev/null"), followsLinks: false).kind == .other)
  }

  @Test func `a refusal says the file and the system's reason`() {
    #expect(throws: CommandError.output("\(directory.path): cannot write: Is a directory")) {
      _ = try OutputFile(OutputDestination(FilePath(directory.path)))
    }
    let missing = directory.file("none/out")
    #expect(throws: CommandError.output("\(missing): cannot write: No such file or directory")) {
      _ = try OutputFile(OutputDestination(FilePath(missing)))
    }
  }

  @Test func `the same bytes again leave the old file alone, and others do not`() throws {
    let content = [UInt8](repeating: 7, count: 200_000)
    for (written, isSame) in [
      (content, true), (content + [8], false), (Array(content.dropLast()), false),
      (Array(content.dropLast(100_000)) + [8] + content.suffix(99_999), false),
    ] {
      try directory.write("out", content)
      let before = try FileStatus(of: path, followsLinks: false)
      var output = try OutputFile(OutputDestination(path))
      for start in stride(from: 0, to: written.count, by: 30_000) {
        try output.write(Array(written[start..<min(start + 30_000, written.count)]))
      }
      try output.commit()
      let after = try FileStatus(of: path, followsLinks: false)
      #expect((after.identity == before.identity) == isSame)
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)")) == Data(written))
      #expect(try directory.names == ["out"])
    }
  }

  @Test(arguments: ["", "0123456789"])
  func `parts can be left out at the end`(old: String) throws {
    try directory.write("out", Array(old.utf8))
    var output = try OutputFile(OutputDestination(path))
    try output.write(Array("0123456789".utf8))
    try output.commit(removing: [0..<2, 4..<5, 9..<10])
    #expect(try directory.text(of: "out") == "235678")
    #expect(try directory.names == ["out"])
  }
}
