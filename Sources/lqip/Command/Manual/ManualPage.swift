internal import LqipOptions

/// The manual page lqip(1), from the tables of the commands.
enum ManualPage {
  /// When the page last changed in more than the tables.
  private static let date: Roff = "2026-11-22"

  private static let examples: [(purpose: String, line: String)] = [
    (
      "Write a record for each image in a directory:",
      "lqip encode photos -o placeholders.ndjson"
    ),
    (
      "Print the BlurHash of each image of the last day:",
      "find photos -type f -mtime -1 | lqip encode - | jq -r .blurhash"
    ),
    (
      "Keep the records of a directory up to date, such as from cron:",
      "lqip encode --update --progress never photos -o placeholders.ndjson"
    ),
    (
      "Look at how a BlurHash and an LQIP will be seen:",
      """
      lqip decode -o blurhash.png 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'
      lqip decode -o lqip.png '#6590f691'
      """
    ),
    (
      "Compare images with their placeholders in a browser:",
      "lqip gallery photos -o gallery.html"
    ),
  ]

  /// The page, for the macros of man.
  static func text(for commands: [CommandOutline]) -> String {
    let page: Roff = """
      .TH LQIP 1 "\(date)" "lqip \(ProgramVersion.current)" "User Commands"
      .SH NAME
      lqip \\- compute and draw placeholders of images
      .SH SYNOPSIS
      \(Roff(commands.map(synopsis), separator: "\n.br\n"))
      .SH DESCRIPTION
      \(Roff(paragraph: HelpText.summary))\
      .SH OPTIONS
      These every command has.
      \\fBlqip help\\fR \\fICOMMAND\\fR and \\fBlqip version\\fR print the same.
      \(Roff(CommandOutline.common.map(option)))\
      .SH COMMANDS
      \(Roff(commands.map(section)))\
      .SH EXIT STATUS
      .TP
      0
      All went well.
      .TP
      1
      Some images failed, and their records say why.
      .TP
      2
      The command line is wrong.
      .TP
      3
      The output was not written, or lacks something.
      .TP
      4
      What is to be encoded could not be listed whole.
      .TP
      130, 143, 129
      SIGINT, SIGTERM or SIGHUP ended the work early.
      .TP
      141
      The reader of the output has closed it.
      .SH FILES
      .TP
      .I .FILE.journal
      The records that a run has made so far, beside its output
      .I FILE
      while it runs, and after it was killed until the next.
      .TP
      .I FILE.rejected
      The lines of an earlier output
      .I FILE
      that are no records, which a run has put aside.
      .SH ENVIRONMENT
      .TP
      .B NO_COLOR
      If set and not empty, there are no colors on the terminal.
      .TP
      .B TERM
      If
      .I dumb
      or not set, nothing on the terminal is drawn over.
      \(Roff(commands.map(variables)))\
      .SH EXAMPLES
      \(Roff(examples.map(example), separator: ".PP\n"))\
      .SH SEE ALSO
      \\fBfind\\fR(1), \\fBjq\\fR(1), \\fBxargs\\fR(1), \\fBsystemd.socket\\fR(5)

      """
    return page.markup
  }

  /// The variables that stand for options of a command, if there are any.
  private static func variables(of command: CommandOutline) -> Roff {
    let names = command.options.compactMap(\.variable)
    guard !names.isEmpty else { return "" }
    return """
      .TP
      .B LQIP_*
      The options of
      .B lqip \(command.name)
      that are not on the command line; a flag is \\fItrue\\fR or \\fIfalse\\fR:
      \(Roff(names.map { "\\fB\\%\($0)\\fR" }, separator: ",\n")).

      """
  }

  private static func synopsis(of command: CommandOutline) -> Roff {
    let operand: Roff = command.operand.isEmpty ? "" : " \\fI\(command.operand)\\fR"
    return "\\fBlqip \(command.name)\\fR [\\fIOPTION\\fR]...\(operand)"
  }

  private static func section(of command: CommandOutline) -> Roff {
    let paragraphs = [command.summary[...]] + command.discussion.split(separator: "\n\n")
    return """
      .SS lqip \(command.name)
      \(Roff(paragraphs.map { Roff(paragraph: $0) }, separator: ".PP\n"))\
      \(Roff(command.options.map(option)))
      """
  }

  private static func option(_ option: CommandOutline.Option) -> Roff {
    let names = Roff(option.names.map { "\\fB\($0)\\fR" }, separator: ", ")
    let value: Roff = option.value.map { " \\fI\($0)\\fR" } ?? ""
    return """
      .TP
      \(names)\(value)
      \(Roff(paragraph: option.help))
      """
  }

  private static func example(_ example: (purpose: String, line: String)) -> Roff {
    """
    \(Roff(paragraph: example.purpose))\
    .PP
    .RS 4
    .nf
    \(example.line)
    .fi
    .RE

    """
  }
}
