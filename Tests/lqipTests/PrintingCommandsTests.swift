import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import Placeholders
@testable import lqip

@Suite struct CompletionsCommandTests {
  @Test(arguments: Shell.allCases)
  func `every supported shell has a completion script`(shell: Shell) throws {
    let run = try Program("completions", shell.rawValue)
    #expect(run.status == 0)
    let script = shell.script(for: CommandText.all + CommandText.questions)
    #expect(String(decoding: run.output, as: UTF8.self) == script + "\n")
  }

  @Test func `an unknown shell is rejected`() throws {
    let run = try Program("completions", "tcsh")
    #expect(run.status == 2)
    #expect(
      run.errors == "lqip: invalid value 'tcsh' for 'SHELL': expected bash, zsh or fish\n"
        + "Try 'lqip completions --help'.\n")
    #expect(try Program("completions").errors.hasPrefix("lqip: missing argument SHELL\n"))
    #expect(
      try Program("completions", "zsh", "bash").errors
        .hasPrefix("lqip: unexpected argument 'bash'\n"))
  }
}

@Suite struct CSSCommandTests {
  @Test func `the stylesheet is written to standard output or a file`() throws {
    let printed = try Program("css")
    #expect(printed.status == 0)
    #expect(printed.errors == "")
    #expect(printed.output == Array(LQIP.stylesheet.utf8))
    let directory = TemporaryDirectory()
    let written = try Program("css", "-o", directory.file("lqip.css"))
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    #expect(try directory.text(of: "lqip.css") == LQIP.stylesheet)
    #expect(try directory.names == ["lqip.css"])
  }
}
