internal import LqipOptions

/// Lays out the help of the program and of its commands.
enum HelpText {
  /// One sentence for what the program does.
  static let summary =
    "Computes the few bytes that stand in for an image until it loads, and draws them again."

  private static let lineLength = 80
  private static let helpColumn = 27

  /// The help of one command, from its table of options.
  static func text<Described: Command>(for command: Described.Type) -> String {
    let usage = ["Usage: lqip", command.name, "[OPTION]...", command.operand]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let paragraphs = command.discussion.split(separator: "\n\n").map { wrapped($0) }
    let options = "Options:\n" + rows(command.table.map { (synopsis(of: $0), $0.help) })
    return ([usage, wrapped(command.summary)] + paragraphs + [options])
      .joined(separator: "\n\n")
  }

  /// The help of the program, which lists its commands.
  static func text(for commands: [any Command.Type]) -> String {
    [
      "Usage: lqip COMMAND [OPTION]... ARGUMENT...",
      wrapped(summary),
      "Commands:\n"
        + rows(
          commands.map { ($0.name, $0.summary) }
            + CommandOutline.questions.map { ("\($0.name) \($0.operand)", $0.summary) }),
      wrapped("'lqip COMMAND --help' explains a command; 'lqip --version' prints the version."),
    ].joined(separator: "\n\n")
  }

  private static func synopsis<Settings>(of option: CommandOption<Settings>) -> String {
    let names = (option.short.map { "-\($0), " } ?? "    ") + option.name
    guard case .take(let placeholder, _, _) = option.effect else { return names }
    return "\(names) \(placeholder)"
  }

  private static func rows(_ rows: [(synopsis: String, help: String)]) -> String {
    rows.map { synopsis, help in
      let left = "  " + synopsis
      let right = wrapped(help, indent: helpColumn)
      return left.count + 2 <= helpColumn
        ? left + right.dropFirst(left.count) : left + "\n" + right
    }.joined(separator: "\n")
  }

  /// Breaks text between words; every line is indented.
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
