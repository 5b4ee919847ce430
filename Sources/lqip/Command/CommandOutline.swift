internal import LqipOptions

/// What completions and the manual have to know of a command, whatever its type.
struct CommandOutline: Sendable {
  /// One row of its table.
  struct Option: Sendable {
    /// The names with their dashes, the short one first if there is one.
    let names: [String]
    /// The placeholder of the value; nil for an option without one.
    let value: String?
    let completion: Completion
    let help: String

    init<Settings>(_ option: CommandOption<Settings>) {
      names = (option.short.map { ["-\($0)"] } ?? []) + [option.name]
      if case .take(let placeholder, _, _) = option.effect {
        value = placeholder
      } else {
        value = nil
      }
      completion = option.completion
      help = option.help
    }
  }

  let name: String
  let summary: String
  let discussion: String
  let operand: String
  let operandCompletion: Completion
  /// The command's own options, without those that every command has.
  var options: [Option]

  init<Described: Command>(_ command: Described.Type) {
    name = command.name
    summary = command.summary
    discussion = command.discussion
    operand = command.operand
    operandCompletion = command.operandCompletion
    options = command.options.map { Option($0) }
  }

  /// The options that every command has.
  static var common: [Option] {
    CommandOption<Void>.common.map { Option($0) }
  }

  /// Everything that the program does.
  static var all: [CommandOutline] {
    Lqip.commands.map { CommandOutline($0) }
  }
}
