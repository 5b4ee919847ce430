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
    var output = try OutputFile(path)
    try output.write(Array("new".utf8))
    #expect(try !directory.names.contains("out"))
    try output.commit()
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "new")
  }

  @Test func `without a commit the old file stays and nothing else does`() throws {
    try directory.write("out", Array("old".utf8))
    do {
      var output = try OutputFile(path)
      try output.write(Array("new".utf8))
    }
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "old")
  }

  @Test func `a replaced file keeps its permissions`() throws {
    try directory.write("out", [])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: "\(path)")
    let output = try OutputFile(path)
    try output.commit()
    #expect(try FileStatus(of: path, followsLinks: false).permissions == 0o640)
  }

  @Test func `a symbolic link stays and its target is replaced`() throws {
    try directory.write("real", Array("old".utf8))
    try directory.link("out", to: "real")
    var output = try OutputFile(path)
    try output.write(Array("new".utf8))
    try output.commit()
    #expect(try FileStatus(of: path, followsLinks: false).kind == .symbolicLink)
    #expect(try directory.text(of: "real") == "new")
  }

  @Test func `a device is written and never replaced`() throws {
    var output = try OutputFile(FilePath("/dev/null"))
    try output.write([0])
    try output.commit()
    #expect(try FileStatus(of: FilePath("/dev/null"), followsLinks: false).kind == .other)
  }

  @Test func `a refusal says the file and the system's reason`() {
    #expect(throws: CommandError.failed("cannot write \(directory.path): Is a directory")) {
      _ = try OutputFile(FilePath(directory.path))
    }
    let missing = directory.file("none/out")
    #expect(throws: CommandError.failed("cannot write \(missing): No such file or directory")) {
      _ = try OutputFile(FilePath(missing))
    }
  }
}
