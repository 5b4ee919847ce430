import LqipRecords
import LqipSystem

/// Formats the help text for the program and its commands.
enum HelpText {
  /// The amount of help to print.
  enum Form: Sendable {
    /// The most common options, for `-h`.
    case short
    /// Every option, for `--help`.
    case full
  }

  /// The one-line summary of the program.
  static let summary = "Generate and render image placeholders"

  private static let lineLength = 80
  /// The maximum indentation of the help column, in characters.
  private static let maximumHelpColumn = 30

  /// Returns the help of one command.
  static func text(for command: CommandOutline, _ form: Form = .full) -> String {
    let usage = ["Usage: lqip", command.name, "[OPTION]...", command.operand]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let beginning = [usage, wrapped("\(command.summary).")]
    let parts =
      switch form {
      case .short: shortParts(of: command)
      case .full: fullParts(of: command)
      }
    return (beginning + parts).joined(separator: "\n\n")
  }

  private static func shortParts(of command: CommandOutline) -> [String] {
    let basics = command.basics.compactMap { name in
      command.options.first { $0.names.contains(name) }
    }
    let options = command.basics.isEmpty ? command.options : basics
    let pointer = "Run 'lqip \(command.name) --help' to list all options."
    return (options.isEmpty ? [] : [rows(options.map(row))])
      + command.examples.prefix(1).map { "Example: \($0.line)" } + [pointer]
  }

  private static func fullParts(of command: CommandOutline) -> [String] {
    let paragraphs = command.discussion.parts(separatedBy: "\n\n").filter { !$0.isEmpty }.map {
      wrapped($0)
    }
    let general = CommandOutline.Group(
      title: command.groups.isEmpty ? "Options" : "General", options: CommandOutline.common)
    let column = helpColumn(of: (command.options + general.options).map(row))
    let groups = (command.groups + [general]).map { group in
      "\(group.title):\n" + rows(group.options.map(row), helpColumn: column)
    }
    return paragraphs + groups
      + [examples(command.examples), "For details, run 'man lqip' or 'lqip man | man -l -'."]
  }

  /// Returns the help text for the program, including a list of its commands.
  static func text(for commands: [CommandOutline], _ form: Form = .full) -> String {
    let list = (commands + CommandOutline.questions).map { command in
      (
        command.options.isEmpty ? "\(command.name) \(command.operand)" : command.name,
        command.summary
      )
    }
    let parts = [
      "Usage: lqip COMMAND [OPTION]... [ARGUMENT]...",
      wrapped("\(summary)."),
      "Commands:\n" + rows(list),
    ]
    let pointer = "Run 'lqip COMMAND --help' for help on a command."
    switch form {
    case .short:
      return (parts + ["Example: \(Self.examples[0].line)", pointer]).joined(separator: "\n\n")
    case .full:
      let options = "Options:\n" + rows(CommandOutline.common.map(row))
      let statuses = "Exit status:\n" + rows(ExitStatusText.rows.map { ($0.codes, $0.meaning) })
      return (parts + [options, examples(Self.examples), statuses, pointer])
        .joined(separator: "\n\n")
    }
  }

  /// The examples in the program's help.
  static let examples = [
    CommandExample(purpose: "Print placeholders as JSON", line: "lqip encode photo.jpg"),
    CommandExample(
      purpose: "View the images in a directory next to their placeholders",
      line: "lqip gallery photos -o gallery.html"),
  ]

  private static func examples(_ examples: [CommandExample]) -> String {
    "Examples:\n" + examples.map { "  # \($0.purpose)\n  \($0.line)" }.joined(separator: "\n")
  }

  private static func row(of option: OptionText) -> (synopsis: String, help: String) {
    let names = (option.names.count > 1 ? "" : "    ") + option.names.joined(separator: ", ")
    return ([names, option.value].compactMap(\.self).joined(separator: " "), option.help)
  }

  /// Returns the indentation of the help column, which follows the longest synopsis that fits `maximumHelpColumn`.
  private static func helpColumn(of rows: [(synopsis: String, help: String)]) -> Int {
    rows.map { $0.synopsis.count + 4 }.filter { $0 <= maximumHelpColumn }.max()
      ?? maximumHelpColumn
  }

  /// Formats rows in two columns.
  private static func rows(
    _ rows: [(synopsis: String, help: String)], helpColumn: Int? = nil
  ) -> String {
    let helpColumn = helpColumn ?? Self.helpColumn(of: rows)
    return rows.map { synopsis, help in
      let left = "  " + synopsis
      let right = wrapped(help, indent: helpColumn)
      return left.count + 2 <= helpColumn
        ? left + right.dropFirst(left.count) : left + "\n" + right
    }.joined(separator: "\n")
  }

  /// Wraps text between words and indents every line.
  static func wrapped(_ text: some StringProtocol, indent: Int = 0) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, indent + line.count + 1 + word.count > lineLength {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    let margin = String(repeating: " ", count: indent)
    return (lines + [line]).map { margin + $0 }.joined(separator: "\n")
  }
}

/// The exit codes and their meanings, for help and the manual page.
enum ExitStatusText {
  static let rows: [(codes: String, meaning: String)] = [
    ("0", "success"),
    ("1", "some images failed; their records contain errors"),
    ("2", "usage error"),
    ("3", "the output could not be written or is incomplete"),
    (
      "4",
      "a directory, archive, path list or 'export' input could not be read, or no images were found"
    ),
    ("129, 130, 143", "terminated by SIGHUP, SIGINT or SIGTERM"),
    ("141", "broken pipe, as when piping to 'head'"),
  ]
}
