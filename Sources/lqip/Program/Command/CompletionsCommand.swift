import LqipRecords
import LqipSystem

/// Prints a shell completion script.
struct CompletionsCommand: Command {
  var shell: Shell?

  static let name = "completions"
  static let summary = "Print a shell completion script"
  static let operand = "SHELL"
  static let operandCompletion = OptionValue<Shell>.choice.completion
  static let discussion = """
    SHELL is bash, zsh or fish. 'make install' installs all three scripts. The examples below \
    load the script into the current session.
    """

  static let groups: [OptionGroup<Self>] = []

  static let examples = [
    CommandExample(
      purpose: "Enable completion in this bash session (for zsh, replace 'bash' with 'zsh')",
      line: #"eval "$(lqip completions bash)""#),
    CommandExample(
      purpose: "Enable completion in this fish session",
      line: "lqip completions fish | source"),
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    guard shell == nil else { throw .unexpectedOperand(operand.text) }
    let value = OptionValue<Shell>.choice
    guard let shell = value.parse(operand) else {
      throw .invalidValue(
        operand.text, option: Self.operand, allowed: value.allowed, value.advice(operand.text))
    }
    self.shell = shell
  }

  func validate() throws(UsageError) {
    guard shell != nil else { throw .missingOperand(Self.operand) }
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    guard let shell else { throw .usage("\(UsageError.missingOperand(Self.operand))") }
    var output = try OutputFile(.standardOutput)
    try output.write(
      Array("\(shell.script(for: CommandOutline.all + CommandOutline.questions))\n".utf8))
    return .success
  }
}

/// A shell with a completion script.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Returns the completion script of the shell.
  func script(for commands: [CommandOutline]) -> String {
    switch self {
    case .bash: BashCompletions.script(for: commands)
    case .zsh: ZshCompletions.script(for: commands)
    case .fish: FishCompletions.script(for: commands)
    }
  }
}
