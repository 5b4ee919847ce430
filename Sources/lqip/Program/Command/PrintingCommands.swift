import LqipOptions
import LqipRecords
import LqipSystem
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
      "Read the manual": "lqip man | man -l -",
      "Save the manual page to a file": "lqip man > lqip.1",
    ])

  func run() throws(CommandError) -> ExitStatus {
    try OutputFile.print(ManualPage.text(for: CommandText.all))
  }
}

/// Prints the header that completes a tiny JPEG.
struct TinyHeaderCommand: Command {
  static let text = CommandText(
    name: "tiny-header",
    summary: "Print the constant header of tiny JPEGs",
    discussion: """
      'data:image/jpeg;base64,', the header, the value from 'lqip encode --text tiny' and '/9k=' \
      form the data URL of the picture.
      """,
    examples: [
      "Save the header for your templates": "lqip tiny-header > tiny-header.txt",
      "Print the value that follows the header": "lqip encode --text tiny photo.jpg",
    ])

  func run() throws(CommandError) -> ExitStatus {
    try OutputFile.print("\(TinyJPEG.header)\n")
  }
}

/// The text of `lqip --version`: the versions of the program and its codec libraries, and the sandbox.
enum VersionText {
  static var text: String {
    let libraries = CodecLibrary.allCases.map { library in
      "  \(library.rawValue) \(library.version ?? "missing")"
    }
    return (["lqip \(ProgramVersion.current)"] + libraries + ["  sandbox: \(Sandbox.available)"])
      .joined(separator: "\n")
  }
}
