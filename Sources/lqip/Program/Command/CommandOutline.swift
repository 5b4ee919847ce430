import LqipRecords

/// The texts of a command and of its options, for help, completions and the manual page.
@dynamicMemberLookup
struct CommandOutline: Sendable {
  /// The options under one heading.
  struct Group: Sendable {
    let title: String
    let options: [OptionText]
  }

  let text: CommandText
  /// The command's own options, without the common options.
  var groups: [Group] = []

  /// The options of all groups.
  var options: [OptionText] {
    groups.flatMap(\.options)
  }

  init<Described: Command>(_ command: Described.Type) {
    text = command.text
    groups = command.groups.map { Group(title: $0.title, options: $0.options.map(\.text)) }
  }

  private init(_ text: CommandText) {
    self.text = text
  }

  /// The members of the command's text, such as its name.
  subscript<Value>(dynamicMember member: KeyPath<CommandText, Value>) -> Value {
    text[keyPath: member]
  }

  /// The options that every command has.
  static var common: [OptionText] {
    CommandOption<Void>.common.map(\.text)
  }

  /// The outlines of all commands.
  static var all: [CommandOutline] {
    Lqip.commands.map { CommandOutline($0) }
  }

  /// The outlines of `help` and `version`, which are equivalent to `--help` and `--version`.
  static let questions = [
    CommandOutline(
      CommandText(
        name: "help", summary: "Print help for a command, or list all commands",
        operand: "[COMMAND]", operandCompletion: .words(Lqip.commands.map { $0.text.name }))),
    CommandOutline(CommandText(name: "version", summary: "Print the version")),
  ]
}
