import LqipSystem
import LqipRecords

/// Prints the manual page.
struct ManCommand: Command {
  static let name = "man"
  static let summary = "Print the lqip(1) manual page"
  static let operand = ""
  static let discussion = """
    After 'make install', view it with 'man lqip'.
    """

  static let groups: [OptionGroup<Self>] = []

  static let examples = [
    CommandExample(purpose: "Read the manual", line: "lqip man | man -l -"),
    CommandExample(purpose: "Save the manual page to a file", line: "lqip man > lqip.1"),
  ]

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    var output = try OutputFile(.standardOutput)
    try output.write(Array(ManualPage.text(for: CommandOutline.all).utf8))
    return .success
  }
}
