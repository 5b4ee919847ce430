import LqipOptions
import LqipRecords
import LqipSystem

/// The name of a command and its texts for help, completions and the manual page.
struct CommandText: Sendable {
  let name: String
  /// The one-line summary in the list of commands.
  let summary: String
  /// The name of the operands in help, such as `FILE...`; empty for no operands.
  var operand = ""
  /// The shell completion of the operands.
  var operandCompletion = Completion.none
  /// Whether a negative number is an operand instead of an option.
  var takesNegativeNumbers = false
  /// Whether environment variables set options that are not on the command line.
  var readsEnvironment = false
  /// The description in help; paragraphs are separated by empty lines.
  var discussion = ""
  /// Command lines by purpose.
  var examples: KeyValuePairs<String, String> = [:]
  /// The command's own options by heading, without the common options; filled in by `init(of:)`.
  var groups: [(title: String, options: [OptionText])] = []
}

extension CommandText {
  /// Creates the texts of a command and of its options.
  init<Described: Command>(of command: Described.Type) {
    self = command.text
    groups = command.groups.map { (title: $0, options: $1.map(\.text)) }
  }

  var options: [OptionText] {
    groups.flatMap(\.options)
  }

  /// The texts of all commands.
  static var all: [CommandText] {
    Lqip.commands.map { CommandText(of: $0) }
  }

  /// The texts of `help` and `version`, which are equivalent to `--help` and `--version`.
  static let questions = [
    CommandText(
      name: "help", summary: "Print help for a command, or list all commands",
      operand: "[COMMAND]", operandCompletion: .words(Lqip.commands.map { $0.text.name })),
    CommandText(name: "version", summary: "Print the version"),
  ]
}

/// A command of the program.
///
/// A value holds the settings of one run: `init()` sets the defaults, which options and operands then change.
protocol Command: Sendable {
  static var text: CommandText { get }
  /// The options by heading, in help order; none by default.
  static var groups: KeyValuePairs<String, [CommandOption<Self>]> { get }

  init()

  /// Adds an operand; by default, throws an error.
  mutating func take(_ operand: CommandArgument) throws(UsageError)

  /// Rejects incomplete or conflicting settings; accepts all by default.
  func validate() throws(UsageError)

  func run() throws(CommandError) -> ExitStatus
}

extension Command {
  static var groups: KeyValuePairs<String, [CommandOption<Self>]> { [:] }

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    throw .unexpectedOperand(operand.text)
  }

  func validate() throws(UsageError) {}

  /// The command's own options, without the common options.
  static var options: [CommandOption<Self>] {
    groups.flatMap(\.value)
  }
}

extension OutputFile {
  static func print(_ text: String) throws(CommandError) -> ExitStatus {
    var output = try OutputFile(.standardOutput)
    try output.write(Array(text.utf8))
    return .success
  }
}
