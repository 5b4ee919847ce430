import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Prints the header that completes a tiny JPEG.
struct TinyHeaderCommand: Command {
  static let name = "tiny-header"
  static let summary = "Print the constant header of tiny JPEGs"
  static let operand = ""
  static let discussion = """
    'data:image/jpeg;base64,', the header, the value from 'lqip encode --text tiny' and '/9k=' \
    form the data URL of the picture.
    """

  static let groups: [OptionGroup<Self>] = []

  static let examples = [
    CommandExample(
      purpose: "Save the header for your templates", line: "lqip tiny-header > tiny-header.txt"),
    CommandExample(
      purpose: "Print the value that follows the header", line: "lqip encode --text tiny photo.jpg"),
  ]

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    var output = try OutputFile(.standardOutput)
    try output.write(Array("\(TinyJPEG.header)\n".utf8))
    return .success
  }
}
