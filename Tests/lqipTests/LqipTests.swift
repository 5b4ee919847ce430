import Foundation
import LqipTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords

@Suite struct LqipTests {
  @Test func `help and version are options and commands that write to standard output`() throws {
    for arguments in [["--help"], ["-h"], ["encode", "--help"], ["decode", "-h"]] {
      let run = try Program(arguments[0], arguments.last ?? "")
      #expect(run.status == 0)
      #expect(run.lines.first?.hasPrefix("Usage: lqip ") == true)
      #expect(run.errors == "")
    }
    #expect(try Program("--version").lines.first == "lqip \(ProgramVersion.current)")
    #expect(try Program("encode", "--version").output == Program("--version").output)
    #expect(try Program("help").output == Program("--help").output)
    #expect(try Program("help", "decode").output == Program("decode", "--help").output)
    #expect(try Program("decode", "-h").output == Program("decode", "--help").output)
    #expect(try Program("version").output == Program("--version").output)
    #expect(try Program("help", "nothing").status == 2)
  }

  @Test(arguments: [
    ("--verion", "unknown option '--verion' (did you mean '--version'?)"),
    ("--hlep", "unknown option '--hlep' (did you mean '--help'?)"),
    ("-x", "unknown option '-x'"), ("--output", "unknown option '--output'"),
    ("/", "unknown command '/'; use: lqip encode /"), ("a.jpg", "unknown command 'a.jpg'"),
    ("nonsense", "unknown command 'nonsense'"),
    ("hepl", "unknown command 'hepl' (did you mean 'help'?)"),
    ("verison", "unknown command 'verison' (did you mean 'version'?)"),
  ])
  func `an unknown command suggests the intended command line`(
    word: String, reason: String
  ) throws {
    let run = try Program(word)
    #expect(run.status == 2)
    #expect(run.errors == "lqip: \(reason)\nTry 'lqip --help'.\n")
  }

  @Test(arguments: [["--help"], ["--version"], ["decode", "--data-url", "#6590f691"]])
  func `a closed output ends the program with exit status 141`(arguments: [String]) throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let run = try Program(arguments, output: pipe.fileHandleForWriting)
    #expect(run.status == 141)
    #expect(run.errors == "")
  }

  @Test(arguments: [
    ("libjpeg-turbo", "libjpeg"), ("libpng", "libpng"), ("ISA-L", "libisal"), ("lcms2", "lcms2"),
    ("libwebp", "libwebp"), ("giflib", "libgif"),
  ])
  func `the reported library versions match pkg-config`(library: String, module: String) throws {
    let version = try Shell.bash.run(arguments: ["-c", "pkg-config --modversion \(module)"]).lines
    #expect(try Program("--version").lines.contains("  \(library) \(version.joined())"))
  }

  @Test func `a usage error has exit status 2 and points to the help`() throws {
    let none = try Program()
    #expect(none.status == 2)
    #expect(none.errors == "lqip: no command given\n\(HelpText.text(for: CommandText.all))\n")
    let pathless = try Program("encode")
    #expect(pathless.status == 2)
    #expect(pathless.errors == "lqip: missing argument PATH\nTry 'lqip encode --help'.\n")
    #expect(pathless.output.isEmpty)
  }
}
