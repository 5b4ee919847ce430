import LqipOptions
import LqipRecords

/// Generates the completion script for fish.
enum FishCompletions {
  static func script(for commands: [CommandText]) -> String {
    let program = "__fish_use_subcommand"
    let common = OptionText.common
    let lines =
      commands.map { line(if: program, ["-a", $0.name], $0.summary) }
      + common.map { line(if: program, flags($0), $0.help) } + commands.flatMap(lines)
    return """
      # Command-line completion for lqip, printed by 'lqip completions fish'.
      complete -c lqip -f
      \(lines.joined(separator: "\n"))
      """
  }

  private static func lines(for command: CommandText) -> [String] {
    let condition = "__fish_seen_subcommand_from \(command.name)"
    let options = (command.options + OptionText.common).map {
      line(if: condition, flags($0), $0.help)
    }
    return switch command.operandCompletion {
    case .none: options
    case .files: options + [line(if: condition, ["-F"])]
    case .words(let words, _):
      options + [line(if: condition, ["-a", quoted(words.joined(separator: " "))])]
    }
  }

  private static func line(if test: String, _ words: [String], _ help: String? = nil) -> String {
    let description = help.map { ["-d", quoted($0)] } ?? []
    return (["complete -c lqip -n", quoted(test)] + words + description).joined(separator: " ")
  }

  /// Returns the arguments of `complete` for the names and the value of an option.
  private static func flags(_ option: OptionText) -> [String] {
    let names = option.names.flatMap { name in
      [name.hasPrefix("--") ? "-l" : "-s", String(name.drop { $0 == "-" })]
    }
    guard option.value != nil else { return names }
    return switch option.completion {
    case .none: names + ["-x"]
    case .files: names + ["-r", "-F"]
    case .words(let words, isList: false):
      names + ["-x", "-a", quoted(words.joined(separator: " "))]
    case .words(let words, isList: true):
      names + ["-x", "-a", quoted("(__fish_append , \(words.joined(separator: " ")))")]
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(String(text.flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] }))'"
  }
}
