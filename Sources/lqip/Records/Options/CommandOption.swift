/// One row of a command's table of options: everything that parsing and help need to know.
package struct CommandOption<Settings>: Sendable {
  /// What the option does when it is met.
  package enum Effect: Sendable {
    /// Changes the settings.
    case set(@Sendable (inout Settings) -> Void)
    /// Takes a value; gives false if the value is not allowed.
    case take(
      placeholder: String, allowed: String,
      @Sendable (inout Settings, CommandArgument) -> Bool)
    /// Prints the command's help instead of running it.
    case help
    /// Prints the program's version instead of running the command.
    case version
  }

  /// Where a value goes, made only once the option is met: the key paths of a whole table take longer than
  /// decoding a small image.
  package typealias Setting<Value> =
    @Sendable () -> any WritableKeyPath<Settings, Value> & Sendable

  /// The long name, with its dashes.
  package let name: String
  package let short: Character?
  /// One line.
  package let help: String
  /// Further sentences, for the manual.
  package var details = ""
  package let effect: Effect
  /// What shells offer for the value.
  package var completion = Completion.none
  /// What to type instead of a value that is not allowed.
  package var advice: @Sendable (String) -> Advice? = { _ in nil }

  /// The environment variable of the same meaning, where a command reads any: `LQIP_MAX_BYTES`.
  package var variable: String {
    "LQIP_" + name.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
  }

  /// An option that is there or not.
  package static func flag(
    _ name: String, short: Character? = nil,
    _ setting: @autoclosure @escaping Setting<Bool>, to value: Bool = true,
    help: String, details: String = ""
  ) -> Self {
    let effect = Effect.set { $0[keyPath: setting()] = value }
    return CommandOption(name: name, short: short, help: help, details: details, effect: effect)
  }

  /// An option with a value.
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

  /// An option with a value, for a setting that is nil without it.
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

  /// An option that may be given more than once, each time with one more value.
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

  /// The same option for settings of which these are a part.
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

  /// The options that every command has.
  package static var common: [Self] {
    [
      CommandOption(
        name: "--help", short: "h", help: "Print help (-h for a summary)", effect: .help),
      CommandOption(name: "--version", short: nil, help: "Print the version", effect: .version),
    ]
  }
}

/// The options under one heading of the help.
package struct OptionGroup<Settings>: Sendable {
  package let title: String
  package let options: [CommandOption<Settings>]

  package init(_ title: String, _ options: [CommandOption<Settings>]) {
    self.title = title
    self.options = options
  }
}

/// What a shell offers to complete a word of the command line.
package enum Completion: Hashable, Sendable {
  case none
  case files
  /// One of the words, or of a list some, with commas between them.
  case words([String], isList: Bool = false)
}
