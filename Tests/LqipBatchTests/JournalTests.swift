import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles

@Suite struct JournalTests {
  private let directory: TemporaryDirectory
  private let output: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    output = FilePath(directory.file("out"))
  }

  @Test func `it lies hidden beside the output, and its name tells whose it is`() {
    #expect(OutputFile.path(of: "journal", beside: FilePath("a/b.c")) == FilePath("a/.b.c.journal"))
    #expect(OutputFile.path(of: "draft", beside: FilePath("b")) == FilePath(".b.draft"))
  }

  @Test func `what is written is there at once`() throws {
    let journal = try Journal(for: output, like: nil)
    try journal.resume(after: 0)
    try journal.write(Array("entry".utf8))
    #expect(try directory.text(of: ".out.journal") == "entry")
    journal.remove()
    #expect(try directory.names == [])
  }

  @Test func `while it is open no other run can open it`() throws {
    let other = FilePath(directory.file("other"))
    do {
      let journal = try Journal(for: output, like: nil)
      try journal.write([1])
      #expect(throws: CommandError.output("\(output): another lqip process is writing this file")) {
        try Journal(for: output, like: nil)
      }
      #expect(throws: Never.self) { try Journal(for: other, like: nil) }
    }
    #expect(throws: Never.self) { try Journal(for: output, like: nil) }
  }

  @Test func `after it was removed another run can open a new one`() throws {
    let first = try Journal(for: output, like: nil)
    first.remove()
    let second = try Journal(for: output, like: nil)
    try second.write(Array("second".utf8))
    try first.write(Array("first".utf8))
    #expect(try directory.text(of: ".out.journal") == "second")
  }

  @Test func `one without records goes away with its run, but no other's`() throws {
    do {
      let journal = try Journal(for: output, like: nil)
      try journal.resume(after: 0)
    }
    #expect(try directory.names == [])
    try directory.write(".out.journal", [1])
    do { _ = try Journal(for: output, like: nil) }
    #expect(try directory.names == [".out.journal"])
    do {
      let first = try Journal(for: output, like: nil)
      try first.resume(after: 0)
      first.remove()
      try directory.write(".out.journal", [2])
    }
    #expect(try directory.names == [".out.journal"])
  }

  @Test(arguments: [(6, "first\nthird\n"), (0, "third\n"), (13, "first\nsecond\nthird\n")])
  func `what follows the last whole record is forgotten`(end: Int, expected: String) throws {
    try directory.write(".out.journal", Array("first\nsecond".utf8))
    let journal = try Journal(for: output, like: nil)
    try journal.resume(after: end)
    try journal.write(Array("third\n".utf8))
    #expect(try directory.text(of: ".out.journal") == expected)
  }

  @Test func `a refusal names the output`() throws {
    let missing = directory.file("none/out")
    #expect(throws: CommandError.output("\(missing): cannot write: No such file or directory")) {
      try Journal(for: FilePath(missing), like: nil)
    }
    try directory.link(".out.journal", to: "elsewhere")
    #expect {
      try Journal(for: output, like: nil)
    } throws: { error in
      "\(error)".contains("\(output): cannot write: Too many levels of symbolic links")
    }
    #expect(try directory.names == [".out.journal"])
  }

  @Test func `it never has more readers than the output`() throws {
    try directory.write("out", [])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(output)")
    let journal = try Journal(for: output, like: FileStatus(of: output, followsLinks: false))
    #expect(try FileStatus(of: journal.path, followsLinks: false).permissions == 0o600)
  }
}
