import LqipSystem
import LqipRecords

/// An example of a command line.
struct CommandExample: Sendable {
  let purpose: String
  let line: String
}

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
  /// The rest of the description, which is only in the manual page.
  var details = ""
  /// The names of the options in the short help; empty for all options.
  var basics: [String] = []
  var examples: [CommandExample] = []
}

/// A command of the program.
///
/// A value holds the settings of one run: `init()` sets the defaults, which options and operands then change.
protocol Command: Sendable {
  static var text: CommandText { get }
  /// The options by heading, in help order; none by default.
  static var groups: [OptionGroup<Self>] { get }

  init()

  /// Adds an operand; by default, throws an error.
  mutating func take(_ operand: CommandArgument) throws(UsageError)

  /// Rejects incomplete or conflicting settings; accepts all by default.
  func validate() throws(UsageError)

  /// Runs the command.
  @MainActor func run() throws(CommandError) -> ExitStatus
}

extension Command {
  static var groups: [OptionGroup<Self>] { [] }

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

extension OutputFile {
  /// Writes a text to standard output.
  static func print(_ text: String) throws(CommandError) -> ExitStatus {
    var output = try OutputFile(.standardOutput)
    try output.write(Array(text.utf8))
    return .success
  }
}
