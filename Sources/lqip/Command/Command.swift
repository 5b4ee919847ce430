internal import LqipFiles
internal import LqipOptions

/// A command of the program.
///
/// A command is also its own settings: a new one has the defaults, and the options of its table
/// and its operands change them.
protocol Command: Sendable {
  static var name: String { get }
  /// One sentence for the list of commands.
  static var summary: String { get }
  /// The placeholder of what follows the options.
  static var operand: String { get }
  /// What shells offer for it.
  static var operandCompletion: Completion { get }
  /// Whether options that are not on the command line are taken from the environment.
  static var readsEnvironment: Bool { get }
  /// What a user has to know besides the options; paragraphs are separated by empty lines.
  static var discussion: String { get }
  /// The options, in the order in which help shows them.
  static var options: [CommandOption<Self>] { get }

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
  static var readsEnvironment: Bool { false }

  /// The whole table: the command's own options and those that every command has.
  static var table: [CommandOption<Self>] {
    options + CommandOption.common
  }
}
