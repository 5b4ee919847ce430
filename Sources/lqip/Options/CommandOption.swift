import LqipSystem

/// The name of an option and its texts for help, shell completions and the manual page.
package struct OptionText: Sendable {
  /// The long name, including the leading dashes.
  package let name: String
  package var short: Character?
  /// The name of the value in help, such as `FILE`; `nil` for a flag.
  package var value: String?
  /// A description of the valid values, which completes the message "expected …".
  package var allowed = ""
  /// The shell completions for the value.
  package var completion = Completion.none
  /// The one-line description in the help.
  package let help: String
  /// Additional sentences for the full help and the manual page.
  package var details = ""

  /// The options that every command has.
  package static let common = [
    OptionText(name: "--help", short: "h", help: "Print help"),
    OptionText(name: "--version", short: "V", help: "Print the version"),
  ]

  /// The names with their dashes, short name first.
  package var names: [String] {
    (short.map { ["-\($0)"] } ?? []) + [name]
  }

  /// The help and the details as sentences.
  package var explanation: String {
    "\(help).\(details.isEmpty ? "" : " ")\(details)"
  }

  /// Returns the error for an invalid value of the option, which the user calls `name`.
  package func invalidValue(_ value: String, for name: String, allowed: String? = nil) -> UsageError
  {
    var suggestion = ""
    if case .words(let words, _) = completion {
      suggestion = UsageError.suggestion(for: value, among: words)
    }
    return .invalidValue(
      value, option: name, allowed: allowed ?? self.allowed, suggestion: suggestion)
  }

  /// The environment variable that sets the option, such as `LQIP_MAX_BYTES`, for commands that read the environment.
  package var variable: String {
    "LQIP_" + name.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
  }
}

/// A command-line option of a command with the given settings.
package struct CommandOption<Settings>: Sendable {
  package let text: OptionText
  /// Changes the settings; returns `false` if the value is invalid.
  ///
  /// A flag is also set by an empty value, as on the command line.
  package let apply: @Sendable (inout Settings, CommandArgument) -> Bool

  package var name: String { text.name }

  /// Creates an option without a value; in queries and the environment, `false` and `0` leave the settings unchanged.
  package static func flag(
    _ name: String, short: Character? = nil, _ set: @escaping @Sendable (inout Settings) -> Void,
    help: String, details: String = ""
  ) -> Self {
    Self(
      text: OptionText(
        name: name, short: short, allowed: "true, 1, false, 0 or no value", help: help,
        details: details)
    ) { settings, argument in
      switch argument.text {
      case "", "true", "1": set(&settings)
      case "false", "0": break
      default: return false
      }
      return true
    }
  }

  /// Creates an option with a value, which `store` adds to the settings.
  ///
  /// For a setting that is `nil` by default, state the type of a new `OptionValue`: otherwise it is inferred as
  /// optional, and an invalid value is stored as `nil`.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ placeholder: String,
    _ store: @escaping @Sendable (inout Settings, Value) -> Void, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    Self(
      text: OptionText(
        name: name, short: short, value: placeholder, allowed: value.allowed,
        completion: value.completion, help: help, details: details)
    ) { settings, argument in
      guard let value = value.parse(argument) else { return false }
      store(&settings, value)
      return true
    }
  }

  /// Returns the same option for settings of type `Whole`, which contain these settings at the key path `part`.
  ///
  /// The key path is created when the option is applied: creating those of all tables at startup would take longer than
  /// decoding a small image.
  package func lifted<Whole>(
    to part: @autoclosure @escaping @Sendable () -> WritableKeyPath<Whole, Settings>
  ) -> CommandOption<Whole> {
    CommandOption<Whole>(text: text) { apply(&$0[keyPath: part()], $1) }
  }
}

/// The shell completions for an argument.
package enum Completion: Hashable, Sendable {
  case none
  case files
  /// One of the words, or a comma-separated list of them.
  case words([String], isList: Bool = false)
}
