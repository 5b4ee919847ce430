import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipOptions
@testable import lqip

@Suite struct UpdateOptionsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: [
    (["--keep-missing", "p"], "--keep-missing requires --update"),
    (["--update", "--tar", "p"], "--update cannot be combined with --tar"),
    (["--null", "p"], "--null requires the path '-'"),
  ])
  func `settings that do not fit together are refused`(arguments: [String], message: String) {
    #expect {
      try CommandParser<EncodeCommand>.parse(arguments.map { CommandArgument($0) }[...])
    } throws: {
      "\($0)".contains(message)
    }
  }

  @Test(arguments: [[], ["-o", "-"], ["-o", "/dev/null"]])
  func `an update needs a file to read and to write`(output: [String]) throws {
    let image = try directory.write("a.png")
    let run = try Program(["encode", "--update", image] + output)
    #expect(run.status == 2)
    #expect(run.output == [])
    #expect(
      run.errors == "lqip: --update requires -o FILE\nTry 'lqip encode --help'.\n")
  }

  @Test(arguments: [[], ["-o", "-"], ["-o", "/dev/null"], ["--stdin"]])
  func `a partial output needs a file too`(output: [String]) throws {
    let image = output == ["--stdin"] ? [] : [try directory.write("a.png")]
    let run = try Program(["encode", "--partial"] + image + output)
    #expect(run.status == 2)
    #expect(run.output == [])
    #expect(
      run.errors == "lqip: --partial requires -o FILE\nTry 'lqip encode --help'.\n")
  }

  @Test func `a conflict is a usage error, and leaves nothing`() throws {
    let out = directory.file("out")
    for arguments in [["--keep-missing"], ["--null"], ["--update", "--tar", "x"]] {
      let run = try Program(["encode", "-o", out, directory.path] + arguments)
      #expect(run.status == 2)
    }
    #expect(try directory.names == [])
  }
}
