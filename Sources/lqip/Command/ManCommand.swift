internal import LqipFiles
internal import LqipOptions

/// Prints the manual.
struct ManCommand: Command {
  static let name = "man"
  static let summary = "Print the manual page lqip(1)."
  static let operand = ""
  static let discussion = """
    The page is for man, which finds it after 'make install'; 'lqip man | man -l -' shows it \
    without that.
    """

  static let options: [CommandOption<Self>] = []

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    throw .unexpectedOperand(operand.text)
  }

  func validate() throws(UsageError) {}

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    var output = try OutputFile(.standardOutput)
    try output.write(Array(ManualPage.text(for: CommandOutline.all).utf8))
    return .success
  }
}
