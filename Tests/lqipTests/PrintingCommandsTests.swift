import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import Placeholders

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

@Suite struct ManualPageTests {
  private let lines = ManualPage.text(for: CommandText.all).split(separator: "\n")

  @Test func `the page documents every command and option`() throws {
    let starts = CommandText.all.map { command in
      lines.firstIndex(of: ".SS lqip \(command.name.replacing("-", with: "\\-"))")
    }
    let ends = starts.dropFirst() + [lines.firstIndex(of: ".SH EXIT STATUS")]
    for (command, (start, end)) in zip(CommandText.all, zip(starts, ends)) {
      let section = lines[try #require(start)..<(try #require(end))]
      for option in command.options {
        let names = option.names.map { "\\fB\($0)\\fR" }.joined(separator: ", ")
        let value = option.value.map { " \\fI\($0)\\fR" } ?? ""
        let row = (names + value).split(separator: "-", omittingEmptySubsequences: false)
        #expect(section.contains(row.joined(separator: "\\-")[...]))
      }
    }
  }

  @Test func `the manual page has the standard sections`() {
    let sections = lines.filter { $0.hasPrefix(".SH ") }.map { String($0.dropFirst(4)) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "FILES",
        "ENVIRONMENT", "EXAMPLES", "SEE ALSO",
      ])
    #expect(lines.contains(".I .FILE.part"))
    #expect(lines.contains(".I .FILE.new"))
  }

  @Test func `the page documents every environment variable`() throws {
    let start = try #require(lines.firstIndex(of: ".SH ENVIRONMENT"))
    let section = lines[start...].prefix { $0 != ".SH EXAMPLES" }
    let variables = section.joined().matches(of: /LQIP_[A-Z_]+/).map { String($0.0) }
    #expect(variables == ServeCommand.options.map(\.text.variable))
    #expect(variables.contains("LQIP_MAX_BYTES"))
  }

  @Test func `only roff requests begin with a period, and no line begins with an apostrophe`() {
    let requests = Set(
      lines.filter { $0.hasPrefix(".") }.compactMap { $0.split(separator: " ").first })
    #expect(
      requests == [
        ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".IR", ".br", ".RS", ".RE", ".nf", ".fi",
      ])
    #expect(!lines.contains { $0.hasPrefix("'") })
  }

  @Test func `lqip man prints the manual page`() throws {
    let run = try Program("man")
    #expect(run.status == 0)
    #expect(run.lines == lines.map(String.init))
    #expect(
      run.lines.first?.hasSuffix("\"lqip \(ProgramVersion.current)\" \"User Commands\"") == true)
  }
}

@Suite struct RoffTests {
  @Test func `special characters in text are escaped`() {
    let text = "a-b 'c' \"d\" `e` ~f ^g \\h é"
    let roff: Roff = "\\fB\(text)\\fR"
    #expect(
      roff.markup
        == "\\fBa\\-b \\(aqc\\(aq \\(dqd\\(dq \\(gae\\(ga \\(tif \\(hag \\(rsh \\[u00E9]\\fR")
  }

  @Test func `no line of a paragraph begins with an unescaped period`() {
    #expect(Roff(paragraph: ".jpg or 'x'").markup == "\\&.jpg or \\(aqx\\(aq\n")
    let words = Array(repeating: ".png", count: 40).joined(separator: " ")
    let lines = Roff(paragraph: words).markup.split(separator: "\n")
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0.hasPrefix("\\&.png ") && $0.count <= 82 })
  }
}
