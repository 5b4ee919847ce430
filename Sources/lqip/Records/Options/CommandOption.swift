import LqipSystem

/// A command-line option, as used for parsing, help, shell completions and the manual page.
package struct CommandOption<Settings>: Sendable {
  /// The effect of the option on the command.
  package enum Effect: Sendable {
    /// Changes the settings.
    case set(@Sendable (inout Settings) -> Void)
    /// Parses a value and changes the settings; the closure returns `false` if the value is invalid.
    case take(
      placeholder: String, allowed: String,
      @Sendable (inout Settings, CommandArgument) -> Bool)
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

  /// The long name, including the leading dashes.
  package let name: String
  package let short: Character?
  /// The one-line description in the help.
  package let help: String
  /// Additional sentences for the full help and the manual page.
  package var details = ""
  package let effect: Effect
  /// The shell completions for the value.
  package var completion = Completion.none
  /// Returns a suggestion for an invalid value.
  package var advice: @Sendable (String) -> Advice? = { _ in nil }

  /// The environment variable that sets the option, such as `LQIP_MAX_BYTES`, for commands that read the environment.
  package var variable: String {
    "LQIP_" + name.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
  }

  /// Creates an option without a value.
  package static func flag(
    _ name: String, short: Character? = nil,
    _ setting: @autoclosure @escaping Setting<Bool>, to value: Bool = true,
    help: String, details: String = ""
  ) -> Self {
    let effect = Effect.set { $0[keyPath: setting()] = value }
    return CommandOption(name: name, short: short, help: help, details: details, effect: effect)
  }

  /// Creates an option with a value.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ placeholder: String,
    _ setting: @autoclosure @escaping Setting<Value>, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    let effect = Effect.take(placeholder: placeholder, allowed: value.allowed) {
      settings, argument in
      guard let value = value.parse(argument) else { return false }
      settings[keyPath: setting()] = value
      return true
    }
    return CommandOption(
      name: name, short: short, help: help, details: details, effect: effect,
      completion: value.completion, advice: value.advice)
  }

  /// Creates an option with a value, for a setting that is `nil` by default.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ placeholder: String,
    _ setting: @autoclosure @escaping Setting<Value?>, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    let value = OptionValue<Value?>(
      allowed: value.allowed, completion: value.completion, advice: value.advice
    ) {
      value.parse($0).map(Optional.some)
    }
    return .value(name, short: short, placeholder, setting(), value, help: help, details: details)
  }

  /// Creates a repeatable option; each value is appended to a setting.
  package static func list<Value>(
    _ name: String, _ placeholder: String,
    _ setting: @autoclosure @escaping Setting<[Value]>, _ value: OptionValue<Value>,
    help: String, details: String = ""
  ) -> Self {
    let effect = Effect.take(placeholder: placeholder, allowed: value.allowed) {
      settings, argument in
      guard let value = value.parse(argument) else { return false }
      settings[keyPath: setting()].append(value)
      return true
    }
    return CommandOption(
      name: name, short: nil, help: help, details: details, effect: effect, advice: value.advice)
  }

  /// Returns the same option for settings of type `Whole`, which contain these settings at the key path `part`.
  package func lifted<Whole>(
    to part: @autoclosure @escaping CommandOption<Whole>.Setting<Settings>
  ) -> CommandOption<Whole> {
    let effect: CommandOption<Whole>.Effect =
      switch effect {
      case .set(let change): .set { change(&$0[keyPath: part()]) }
      case .take(let placeholder, let allowed, let change):
        .take(placeholder: placeholder, allowed: allowed) { change(&$0[keyPath: part()], $1) }
      case .help: .help
      case .version: .version
      }
    return CommandOption<Whole>(
      name: name, short: short, help: help, details: details, effect: effect,
      completion: completion, advice: advice)
  }

  /// The options that every command accepts.
  package static var common: [Self] {
    [
      CommandOption(
        name: "--help", short: "h", help: "Print help (-h for a summary)", effect: .help),
      CommandOption(name: "--version", short: nil, help: "Print the version", effect: .version),
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
