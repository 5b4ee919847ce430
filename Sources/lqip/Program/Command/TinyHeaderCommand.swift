import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Prints the headers that make tiny JPEGs complete.
struct TinyHeaderCommand: Command {
  static let name = "tiny-header"
  static let summary = "Print the constant headers of tiny JPEGs"
  static let operand = ""
  static let discussion = """
    The first line is the header for images that are at least as wide as tall; the second line is \
    the header for portrait images. 'data:image/jpeg;base64,', the header, the value from \
    'lqip encode --text tiny' and '/9k=' form the data URL of the picture.
    """

  static let groups: [OptionGroup<Self>] = []

  static let examples = [
    CommandExample(
      purpose: "Save the headers for your templates", line: "lqip tiny-header > tiny-headers.txt"),
    CommandExample(
      purpose: "Print the header for landscape images", line: "lqip tiny-header | head -n 1"),
  ]

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    var output = try OutputFile(.standardOutput)
    for shape in TinyJPEG.Shape.allCases { try output.write(Array("\(shape.header)\n".utf8)) }
    return .success
  }
}
