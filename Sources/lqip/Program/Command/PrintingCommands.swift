import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Prints the manual page.
struct ManCommand: Command {
  static let text = CommandText(
    name: "man",
    summary: "Print the lqip(1) manual page",
    discussion: """
      After 'make install', view it with 'man lqip'.
      """,
    examples: [
      CommandExample(purpose: "Read the manual", line: "lqip man | man -l -"),
      CommandExample(purpose: "Save the manual page to a file", line: "lqip man > lqip.1"),
    ])

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    try OutputFile.print(ManualPage.text(for: CommandOutline.all))
  }
}

/// Prints the headers that make tiny JPEGs complete.
struct TinyHeaderCommand: Command {
  static let text = CommandText(
    name: "tiny-header",
    summary: "Print the constant headers of tiny JPEGs",
    discussion: """
      The first line is the header for images that are at least as wide as tall; the second line is \
      the header for portrait images. 'data:image/jpeg;base64,', the header, the value from \
      'lqip encode --text tiny' and '/9k=' form the data URL of the picture.
      """,
    examples: [
      CommandExample(
        purpose: "Save the headers for your templates", line: "lqip tiny-header > tiny-headers.txt"),
      CommandExample(
        purpose: "Print the header for landscape images", line: "lqip tiny-header | head -n 1"),
    ])

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    try OutputFile.print(TinyJPEG.Shape.allCases.map { "\($0.header)\n" }.joined())
  }
}
