import LqipRecords

/// A type-erased description of a command, for help, completions and the manual page.
struct CommandOutline: Sendable {
  /// An option of a command.
  struct Option: Sendable {
    /// The names with their dashes, short name first.
    let names: [String]
    /// The name of the value in help, such as `FILE`; `nil` for a flag.
    let value: String?
    let completion: Completion
    let help: String
    /// The help and the details as sentences.
    let explanation: String
    /// The environment variable that sets the option; `nil` if the command reads none.
    var variable: String?

    init<Settings>(_ option: CommandOption<Settings>) {
      names = (option.short.map { ["-\($0)"] } ?? []) + [option.name]
      if case .take(let placeholder, _, _) = option.effect {
        value = placeholder
      } else {
        value = nil
      }
      completion = option.completion
      help = option.help
      explanation = "\(option.help).\(option.details.isEmpty ? "" : " ")\(option.details)"
    }
  }

  /// The options under one heading.
  struct Group: Sendable {
    let title: String
    var options: [Option]
  }

  let name: String
  let summary: String
  let discussion: String
  let details: String
  let operand: String
  let operandCompletion: Completion
  /// The command's own options, without the common options.
  var groups: [Group]
  /// The names of the options in the short help; empty for all options.
  let basics: [String]
  let examples: [CommandExample]

  /// The options of all groups.
  var options: [Option] {
    groups.flatMap(\.options)
  }

  init<Described: Command>(_ command: Described.Type) {
    name = command.name
    summary = command.summary
    discussion = command.discussion
    details = command.details
    operand = command.operand
    operandCompletion = command.operandCompletion
    groups = command.groups.map { group in
      Group(
        title: group.title,
        options: group.options.map { option in
          var outline = Option(option)
          if command.readsEnvironment { outline.variable = option.variable }
          return outline
        })
    }
    basics = command.basics
    examples = command.examples
  }

  private init(
    name: String, summary: String, operand: String = "", operandCompletion: Completion = .none
  ) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.operandCompletion = operandCompletion
    (discussion, details) = ("", "")
    (groups, basics, examples) = ([], [], [])
  }

  /// The options that every command has.
  static var common: [Option] {
    CommandOption<Void>.common.map { Option($0) }
  }

  /// The outlines of all commands.
  static var all: [CommandOutline] {
    Lqip.commands.map { CommandOutline($0) }
  }

  /// The outlines of `help` and `version`, which are equivalent to `--help` and `--version`.
  static let questions = [
    CommandOutline(
      name: "help", summary: "Print help for a command, or list all commands", operand: "[COMMAND]",
      operandCompletion: .words(Lqip.commands.map { $0.name })),
    CommandOutline(name: "version", summary: "Print the version"),
  ]
}
