import LqipOptions
import LqipRecords
import LqipSystem

/// Generates the manual page lqip(1) from the option tables of the commands.
enum ManualPage {
  /// The date of the last change outside the option tables.
  private static let date: Roff = "2026-11-25"

  /// Returns the page in roff, with the macros of man(7).
  static func text(for commands: [CommandText]) -> String {
    let page: Roff = """
      .TH LQIP 1 "\(date)" "lqip \(ProgramVersion.current)" "User Commands"
      .SH NAME
      lqip \\- generate and render image placeholders
      .SH SYNOPSIS
      \(Roff(commands.map(synopsis), separator: "\n.br\n"))
      .SH DESCRIPTION
      \(Roff(paragraph: "\(HelpText.summary)."))\
      .SH OPTIONS
      All commands accept these options.
      \\fBlqip help\\fR \\fICOMMAND\\fR and \\fBlqip version\\fR print the same text.
      \(Roff(OptionText.common.map(option)))\
      .SH COMMANDS
      \(Roff(commands.map(section)))\
      .SH EXIT STATUS
      \(Roff(HelpText.exitStatuses.map(status)))\
      .SH FILES
      .TP
      .I .FILE.part
      The unfinished output, next to
      .IR FILE .
      It is renamed to
      .I FILE
      at the end of the run. After a crash, a run with \\-\\-update resumes from it.
      .TP
      .I .FILE.new
      The records of
      .I .FILE.part
      and
      .IR FILE ,
      while they are merged.
      .SH ENVIRONMENT
      .TP
      .B NO_COLOR
      Disables color on the terminal if set and not empty.
      .TP
      .B TERM
      Disables color and progress bars if
      .I dumb
      or not set.
      \(Roff(commands.map(variables)))\
      .SH EXAMPLES
      \(Roff(commands.flatMap(\.examples).map { example($1, for: $0) }, separator: ".PP\n"))\
      .SH SEE ALSO
      \\fBfind\\fR(1), \\fBjq\\fR(1), \\fBxargs\\fR(1), \\fBsystemd.socket\\fR(5)

      """
    return page.markup
  }

  /// Returns the entry for the environment variables that set options of a command; empty if there are none.
  private static func variables(of command: CommandText) -> Roff {
    guard command.readsEnvironment else { return "" }
    return """
      .TP
      .B LQIP_*
      Set options of
      .B lqip \(command.name)
      that are not set on the command line. A flag takes \\fItrue\\fR or \\fIfalse\\fR.
      The variables are
      \(Roff(command.options.map { "\\fB\\%\($0.variable)\\fR" }, separator: ",\n")).

      """
  }

  private static func synopsis(of command: CommandText) -> Roff {
    let operand: Roff = command.operand.isEmpty ? "" : " \\fI\(command.operand)\\fR"
    return "\\fBlqip \(command.name)\\fR [\\fIOPTION\\fR]...\(operand)"
  }

  private static func section(of command: CommandText) -> Roff {
    let text = "\(command.summary).\n\n\(command.discussion)"
    let paragraphs = text.parts(separatedBy: "\n\n").filter { !$0.isEmpty }
    return """
      .SS lqip \(command.name)
      \(Roff(paragraphs.map { Roff(paragraph: $0) }, separator: ".PP\n"))\
      \(Roff(command.groups.map(group)))
      """
  }

  /// Returns the options under their heading; the group `Options` has no heading.
  private static func group(_ title: String, _ options: [OptionText]) -> Roff {
    let heading: Roff = ".PP\n\\fB\(title)\\fR\n"
    return "\(title == "Options" ? "" : heading)\(Roff(options.map(option)))"
  }

  private static func status(_ codes: String, _ meaning: String) -> Roff {
    """
    .TP
    \(codes)
    \(Roff(paragraph: meaning.prefix(1).uppercased() + meaning.dropFirst() + "."))
    """
  }

  private static func option(_ option: OptionText) -> Roff {
    let names = Roff(option.names.map { "\\fB\($0)\\fR" }, separator: ", ")
    let value: Roff = option.value.map { " \\fI\($0)\\fR" } ?? ""
    return """
      .TP
      \(names)\(value)
      \(Roff(paragraph: option.explanation))
      """
  }

  private static func example(_ line: String, for purpose: String) -> Roff {
    """
    \(Roff(paragraph: "\(purpose):"))\
    .PP
    .RS 4
    .nf
    \(line)
    .fi
    .RE

    """
  }
}
