import LqipOptions
import LqipRecords

/// Generates the completion script for zsh, which can be installed in `fpath` or sourced.
enum ZshCompletions {
  static func script(for commands: [CommandText]) -> String {
    let descriptions = commands.map { "    " + quoted("\($0.name):\(escaped($0.summary))") }
    return """
      #compdef lqip
      # Command-line completion for lqip, printed by 'lqip completions zsh'.
      _lqip() {
        local context state line
        local -A opt_args
        local -a commands
        commands=(
      \(descriptions.joined(separator: "\n"))
        )
        if ((CURRENT > 2)); then
          # Complete the subcommand as a separate program.
          shift words
          ((CURRENT--))
        elif [[ $words[2] != -* ]]; then
          _describe command commands
          return
        fi
        case $words[1] in
      \(commands.map(clause).joined(separator: "\n"))
          lqip)
            \(arguments(OptionText.common.map(specification)))
            ;;
        esac
      }
      if [[ $funcstack[1] == _lqip ]]; then
        _lqip "$@"
      else
        compdef _lqip lqip
      fi
      """
  }

  private static func clause(for command: CommandText) -> String {
    var specifications = (command.options + OptionText.common).map(specification)
    if !command.operand.isEmpty {
      let place = command.operand.hasSuffix("...") ? "*" : "1"
      specifications.append(
        quoted("\(place):\(escaped(command.operand))\(action(command.operandCompletion))"))
    }
    return """
          \(command.name))
            \(arguments(specifications))
            ;;
      """
  }

  private static func arguments(_ specifications: [String]) -> String {
    (["_arguments -s -S"] + specifications).joined(separator: " \\\n        ")
  }

  /// Returns an option in the syntax of `_arguments`: exclusions, names, help and value.
  private static func specification(_ option: OptionText) -> String {
    var meaning = "[\(escaped(option.help))]"
    if let value = option.value { meaning += ":\(escaped(value))\(action(option.completion))" }
    let names = option.names.map { name in
      // `+` also allows the value directly after a short name, and `=` after a long name and an equals sign.
      option.value == nil ? name : name + (name.hasPrefix("--") ? "=" : "+")
    }
    guard names.count > 1 else { return quoted(names[0] + meaning) }
    return quoted("(\(option.names.joined(separator: " ")))")
      + "{\(names.joined(separator: ","))}" + quoted(meaning)
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: ": "
    case .files: ":_files"
    case .words(let words, isList: false): ":(\(words.joined(separator: " ")))"
    case .words(let words, isList: true): ":_values -s , name \(words.joined(separator: " "))"
    }
  }

  /// Escapes the special characters of `_arguments` and `_describe`.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\:[]".contains($0) ? ["\\", $0] : [$0] })
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
