internal import LqipFiles
internal import LqipOptions
internal import PlaceholderEncoding
internal import LqipRecords

/// Prints the stylesheet that draws LQIPs.
struct CSSCommand: Command {
  var output = OutputOptions()
  var sheet = Sheet.lqip

  /// What a stylesheet draws.
  enum Sheet: String, CaseIterable, Sendable {
    case lqip
    case css

    var text: String {
      switch self {
      case .lqip: LQIPStylesheet.text
      case .css: IntegerLQIPStylesheet.text
      }
    }
  }

  static let name = "css"
  static let summary = "Print the stylesheet that draws LQIPs in a browser."
  static let operand = ""
  static let discussion = """
    With it, any element with style="--lqip:#ccd94c11" has the preview as its background, an \
    image for as long as it loads. The value is the 'lqip' of a record; the 'lqip2' of '--lqip \
    six' goes into --lqip2. Where typed attr() exists, data-lqip and data-lqip2 do the same.

    With '--kind css', it is the stylesheet for the integers of '--kinds css', which go into \
    --lqip-css. Both can be in one page.

    The exit code is 0 if the stylesheet was written, 2 if the command line is wrong, 3 if it \
    cannot be written, and 141 if the reader of the output has closed it.
    """

  static let options: [CommandOption<Self>] =
    OutputOptions.table(help: "Write to FILE; '-' is standard output, the default.").map {
      $0.lifted(to: \.output)
    } + [
      .value(
        "--kind", "KIND", \.sheet, .choice,
        help: "What to draw: 'lqip' (default), values such as '#ccd94c11'; 'css', integers.")
    ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    throw .unexpectedOperand(operand.text)
  }

  func validate() throws(UsageError) {
    try OutputContent.stylesheet.check(output.path)
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    let text = Array(sheet.text.utf8)
    try output.replace(with: text) { FileDescriptor.begins($0, with: text.prefix(64)) }
    return .success
  }
}
