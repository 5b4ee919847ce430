import LqipSystem

/// The name of an option and its texts for help, shell completions and the manual page.
package struct OptionText: Sendable {
  /// The long name, including the leading dashes.
  package let name: String
  package var short: Character?
  /// The name of the value in help, such as `FILE`; `nil` for a flag.
  package var value: String?
  /// The shell completions for the value.
  package var completion = Completion.none
  /// The one-line description in the help.
  package let help: String
  /// Additional sentences for the full help and the manual page.
  package var details = ""

  /// The names with their dashes, short name first.
  package var names: [String] {
    (short.map { ["-\($0)"] } ?? []) + [name]
  }

  /// The help and the details as sentences.
  package var explanation: String {
    "\(help).\(details.isEmpty ? "" : " ")\(details)"
  }

  /// Returns the completion with a spelling similar to an invalid value, if any.
  package func suggestion(for value: String) -> Suggestion? {
    guard case .words(let words, _) = completion else { return nil }
    return Suggestion(for: value, among: words)
  }

  /// The environment variable that sets the option, such as `LQIP_MAX_BYTES`, for commands that read the environment.
  package var variable: String {
    "LQIP_" + name.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
  }
}

/// A command-line option of a command with the given settings.
package struct CommandOption<Settings>: Sendable {
  /// The effect of the option on the command.
  package enum Effect: Sendable {
    /// Changes the settings.
    case set(@Sendable (inout Settings) -> Void)
    /// Parses a value and changes the settings; the closure returns `false` if the value is invalid.
    case take(allowed: String, @Sendable (inout Settings, CommandArgument) -> Bool)
    /// Prints the command's help instead of running it.
    case help
    /// Prints the program's version instead of running the command.
    case version
  }

  /// A closure that returns the key path of a setting.
  ///
  /// Creating all key paths of a table at startup would take longer than decoding a small image.
  package typealias Setting<Value> =
    @Sendable () -> any WritableKeyPath<Settings, Value> & Sendable

  package let text: OptionText
  package let effect: Effect

  /// The long name, including the leading dashes.
  package var name: String { text.name }

  /// Creates an option without a value.
  package static func flag(
    _ name: String, short: Character? = nil,
    _ setting: @autoclosure @escaping Setting<Bool>, help: String, details: String = ""
  ) -> Self {
    Self(
      text: OptionText(name: name, short: short, help: help, details: details),
      effect: .set { $0[keyPath: setting()] = true })
  }

  /// Creates an option with a value, which `store` adds to the settings.
  private static func value<Value>(
    _ text: OptionText, _ value: OptionValue<Value>,
    store: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> Self {
    let effect = Effect.take(allowed: value.allowed) { settings, argument in
      guard let value = value.parse(argument) else { return false }
      store(&settings, value)
      return true
    }
    return Self(text: text, effect: effect)
  }

  /// Creates an option with a value.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ placeholder: String,
    _ setting: @autoclosure @escaping Setting<Value>, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    .value(
      OptionText(
        name: name, short: short, value: placeholder, completion: value.completion, help: help,
        details: details), value
    ) { $0[keyPath: setting()] = $1 }
  }

  /// Creates an option with a value, for a setting that is `nil` by default.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ placeholder: String,
    _ setting: @autoclosure @escaping Setting<Value?>, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    .value(
      OptionText(
        name: name, short: short, value: placeholder, completion: value.completion, help: help,
        details: details), value
    ) { $0[keyPath: setting()] = $1 }
  }

  /// Creates a repeatable option without completions; each value is appended to a setting.
  package static func list<Value>(
    _ name: String, _ placeholder: String,
    _ setting: @autoclosure @escaping Setting<[Value]>, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    .value(OptionText(name: name, value: placeholder, help: help, details: details), value) {
      $0[keyPath: setting()].append($1)
    }
  }

  /// Returns the same option for settings of type `Whole`, which contain these settings at the key path `part`.
  package func lifted<Whole>(
    to part: @autoclosure @escaping CommandOption<Whole>.Setting<Settings>
  ) -> CommandOption<Whole> {
    let effect: CommandOption<Whole>.Effect =
      switch effect {
      case .set(let change): .set { change(&$0[keyPath: part()]) }
      case .take(let allowed, let change):
        .take(allowed: allowed) { change(&$0[keyPath: part()], $1) }
      case .help: .help
      case .version: .version
      }
    return CommandOption<Whole>(text: text, effect: effect)
  }

  /// The options that every command accepts.
  package static var common: [Self] {
    [
      Self(
        text: OptionText(name: "--help", short: "h", help: "Print help"),
        effect: .help),
      Self(text: OptionText(name: "--version", help: "Print the version"), effect: .version),
    ]
  }
}

/// A group of options under a heading in the help.
package struct OptionGroup<Settings>: Sendable {
  package let title: String
  package let options: [CommandOption<Settings>]

  package init(_ title: String, _ options: [CommandOption<Settings>]) {
    self.title = title
    self.options = options
  }
}

/// The shell completions for an argument.
package enum Completion: Hashable, Sendable {
  case none
  case files
  /// One of the words, or a comma-separated list of them.
  case words([String], isList: Bool = false)
}
