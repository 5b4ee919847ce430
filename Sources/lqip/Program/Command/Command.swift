import LqipSystem
import LqipRecords

/// A command line to try.
struct CommandExample: Sendable {
  let purpose: String
  let line: String
}

/// A command of the program.
///
/// A command is also its own settings: a new one has the defaults, and the options of its table
/// and its operands change them.
protocol Command: Sendable {
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// The placeholder of what follows the options.
  static var operand: String { get }
  /// What shells offer for it.
  static var operandCompletion: Completion { get }
  /// Whether a negative number is an argument.
  static var takesNegativeNumbers: Bool { get }
  /// Whether options that are not on the command line are taken from the environment.
  static var readsEnvironment: Bool { get }
  /// What a user has to know besides the options; paragraphs are separated by empty lines.
  static var discussion: String { get }
  /// More of it, for the manual alone.
  static var details: String { get }
  /// The options, in the order in which help shows them.
  static var groups: [OptionGroup<Self>] { get }
  /// The names of the options that most people use, which the short help has.
  static var basics: [String] { get }
  static var examples: [CommandExample] { get }

  init()

  /// Takes an argument that is not an option.
  mutating func take(_ operand: CommandArgument) throws(UsageError)

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError)

  /// Does the work, and tells how it went.
  @MainActor func run() throws(CommandError) -> ExitStatus
}

extension Command {
  static var operandCompletion: Completion { .none }
  static var takesNegativeNumbers: Bool { false }
  static var readsEnvironment: Bool { false }
  static var details: String { "" }
  static var basics: [String] { [] }

  static var options: [CommandOption<Self>] {
    groups.flatMap(\.options)
  }

  /// The whole table: the command's own options and those that every command has.
  static var table: [CommandOption<Self>] {
    options + CommandOption.common
  }
}
