import LqipOptions
import LqipRecords
import LqipSystem

/// Prints a shell completion script.
struct CompletionsCommand: Command {
  var shell: Shell?

  static let text = CommandText(
    name: "completions",
    summary: "Print a shell completion script",
    operand: "SHELL",
    operandCompletion: OptionValue<Shell>.choice.completion,
    discussion: """
      SHELL is bash, zsh or fish. 'make install' installs all three scripts. The examples below \
      load the script into the current session.
      """,
    examples: [
      "Enable completion in this bash session (for zsh, replace 'bash' with 'zsh')":
        #"eval "$(lqip completions bash)""#,
      "Enable completion in this fish session": "lqip completions fish | source",
    ])

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    guard shell == nil else { throw .unexpectedOperand(operand.text) }
    let value = OptionValue<Shell>.choice
    shell = value.parse(operand)
    guard shell != nil else {
      throw .invalidValue(operand.text, option: Self.text.operand, allowed: value.allowed)
    }
  }

  func validate() throws(UsageError) {
    guard shell != nil else { throw .missingOperand(Self.text.operand) }
  }

  func run() throws(CommandError) -> ExitStatus {
    let outlines = CommandText.all + CommandText.questions
    return try OutputFile.print(shell.map { "\($0.script(for: outlines))\n" } ?? "")
  }
}

/// A shell with a completion script.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  func script(for commands: [CommandText]) -> String {
    switch self {
    case .bash: BashCompletions.script(for: commands)
    case .zsh: ZshCompletions.script(for: commands)
    case .fish: FishCompletions.script(for: commands)
    }
  }
}
