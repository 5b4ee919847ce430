import LqipOptions
import LqipRecords
import LqipSystem

/// Formats the help text for the program and its commands.
enum HelpText {
  static let summary = "Generate and render image placeholders"

  private static let lineLength = 80
  /// The maximum indentation of the help column, in characters.
  private static let maximumHelpColumn = 30

  static func text(for command: CommandText) -> String {
    let usage = ["Usage: lqip", command.name, "[OPTION]...", command.operand]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let paragraphs = command.discussion.parts(separatedBy: "\n\n").filter { !$0.isEmpty }
    let heading = command.groups.isEmpty ? "Options" : "General"
    let column = helpColumn(of: (command.options + OptionText.common).map(row))
    let groups = (command.groups + [(heading, OptionText.common)]).map { title, options in
      "\(title):\n" + rows(options.map(row), helpColumn: column)
    }
    let parts =
      [usage, wrapped("\(command.summary).")] + paragraphs.map { wrapped($0) } + groups
      + [examples(command.examples), "For details, run 'man lqip' or 'lqip man | man -l -'."]
    return parts.joined(separator: "\n\n")
  }

  /// Returns the help text for the program, including a list of its commands.
  static func text(for commands: [CommandText]) -> String {
    let list = (commands + CommandText.questions).map { command in
      (
        command.options.isEmpty ? "\(command.name) \(command.operand)" : command.name,
        command.summary
      )
    }
    return [
      "Usage: lqip COMMAND [OPTION]... [ARGUMENT]...",
      wrapped("\(summary)."),
      "Commands:\n" + rows(list),
      "Options:\n" + rows(OptionText.common.map(row)),
      examples(Self.examples),
      "Exit status:\n" + rows(exitStatuses),
      "Run 'lqip COMMAND --help' for help on a command.",
    ].joined(separator: "\n\n")
  }

  static let examples: KeyValuePairs = [
    "Print placeholders as JSON": "lqip encode photo.jpg",
    "View the images in a directory next to their placeholders":
      "lqip gallery photos -o gallery.html",
  ]

  private static func examples(_ examples: KeyValuePairs<String, String>) -> String {
    "Examples:\n" + examples.map { "  # \($0)\n  \($1)" }.joined(separator: "\n")
  }

  private static func row(of option: OptionText) -> (synopsis: String, help: String) {
    let names = (option.names.count > 1 ? "" : "    ") + option.names.joined(separator: ", ")
    return ([names, option.value].compactMap(\.self).joined(separator: " "), option.help)
  }

  /// Returns the indentation of the help column, which follows the longest synopsis that fits `maximumHelpColumn`.
  private static func helpColumn(of rows: [(synopsis: String, help: String)]) -> Int {
    rows.map { $0.synopsis.count + 4 }.filter { $0 <= maximumHelpColumn }.max() ?? maximumHelpColumn
  }

  private static func rows(
    _ rows: [(synopsis: String, help: String)], helpColumn: Int? = nil
  ) -> String {
    let helpColumn = helpColumn ?? Self.helpColumn(of: rows)
    return rows.map { synopsis, help in
      let left = "  " + synopsis
      let right = wrapped(help, indent: helpColumn)
      return left.count + 2 <= helpColumn ? left + right.dropFirst(left.count) : left + "\n" + right
    }.joined(separator: "\n")
  }

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

  static let exitStatuses: [(synopsis: String, help: String)] = [
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
