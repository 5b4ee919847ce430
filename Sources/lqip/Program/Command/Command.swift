import LqipSystem
import LqipRecords

/// An example of a command line.
struct CommandExample: Sendable {
  let purpose: String
  let line: String
}

/// A command of the program.
///
/// A value holds the settings of one run: `init()` sets the defaults, which options and operands then change.
protocol Command: Sendable {
  static var name: String { get }
  /// The one-line summary in the list of commands.
  static var summary: String { get }
  /// The name of the operands in help, such as `FILE...`; empty for no operands.
  static var operand: String { get }
  /// The shell completion of the operands.
  static var operandCompletion: Completion { get }
  /// Whether a negative number is an operand instead of an option.
  static var takesNegativeNumbers: Bool { get }
  /// Whether environment variables set options that are not on the command line.
  static var readsEnvironment: Bool { get }
  /// The description in help; paragraphs are separated by empty lines.
  static var discussion: String { get }
  /// The rest of the description, which is only in the manual page.
  static var details: String { get }
  /// The options by heading, in help order.
  static var groups: [OptionGroup<Self>] { get }
  /// The names of the options in the short help; empty for all options.
  static var basics: [String] { get }
  static var examples: [CommandExample] { get }

  init()

  /// Adds an operand; by default, throws an error.
  mutating func take(_ operand: CommandArgument) throws(UsageError)

  /// Rejects incomplete or conflicting settings; accepts all by default.
  func validate() throws(UsageError)

  /// Runs the command.
  @MainActor func run() throws(CommandError) -> ExitStatus
}

extension Command {
  static var operandCompletion: Completion { .none }
  static var takesNegativeNumbers: Bool { false }
  static var readsEnvironment: Bool { false }
  static var details: String { "" }
  static var basics: [String] { [] }

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    throw .unexpectedOperand(operand.text)
  }

  func validate() throws(UsageError) {}

  static var options: [CommandOption<Self>] {
    groups.flatMap(\.options)
  }

  /// The command's own options, followed by the common options.
  static var table: [CommandOption<Self>] {
    options + CommandOption.common
  }
}
