import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
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
