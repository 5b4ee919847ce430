import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// `decode` with strings that arrive one by one on standard input.
@Suite struct DecodeStreamTests {
  private static let strings = ["#ccd94c11", "nonsense", "#47d37520"]
  private let directory = TemporaryDirectory()

  @Test func `a data URL is written before the next string arrives`() throws {
    let complete = try Program(["decode", "--data-url", "--width=5"] + Self.strings)
    let file = try directory.write("urls", [])
    let output = try #require(FileHandle(forWritingAtPath: file))
    let program = try RunningProgram(["decode", "-", "--data-url", "--width=5"], output: output)
    for (index, string) in Self.strings.enumerated() {
      try program.send([string])
      let beginning = complete.output.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...index]
      let expected = Array(beginning.joined(separator: [UInt8(ascii: "\n")])) + [0x0A]
      try RunningProgram.wait {
        try Array(Data(contentsOf: URL(fileURLWithPath: file))) == expected
      }
    }
    #expect(
      try program.errors.hasPrefix("lqip: standard input, line 2: unknown placeholder 'nonsense'"))
  }

  @Test func `each image in an output directory is written before the next string arrives`() throws
  {
    let program = try RunningProgram(["decode", "-", "-o", directory.file("d")])
    for number in 1...2 {
      try program.send(["#ccd94c11"])
      try RunningProgram.wait {
        FileManager.default.fileExists(atPath: directory.file("d/\(number).png"))
      }
    }
  }

  @Test func `a closed output ends the run while standard input is still open`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let program = try RunningProgram(
      ["decode", "-", "--data-url"], output: pipe.fileHandleForWriting)
    try program.send(["#ccd94c11"])
    #expect(try program.status() == 141)
    #expect(try program.errors.isEmpty)
  }

  @Test func `after a signal, the old data URLs are unchanged and no temporary file is left`()
    throws
  {
    let file = directory.file("urls")
    #expect(try Program("decode", "--data-url", "#ccd94c11", "-o", file).status == 0)
    let before = try directory.text(of: "urls")
    let program = try RunningProgram(["decode", "-", "--data-url", "-o", file])
    try program.send(["#47d37520"])
    try RunningProgram.wait { try directory.names.contains(".urls.part") }
    program.send(signal: SIGTERM)
    #expect(try abs(program.status()) == 143)
    #expect(try directory.text(of: "urls") == before)
    #expect(try directory.names == ["urls"])
  }
}
