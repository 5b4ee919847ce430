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
  static let summary = "Print the stylesheet that renders LQIPs in a browser"
  static let operand = ""
  static let discussion = """
    An element with style="--lqip:#ccd94c11" gets the gradient as its background; an img has it \
    while the image loads. The value is the 'lqip' field of a record.
    """

  static let details = """
    The 'lqip2' of '--lqip six' goes into --lqip2. Browsers with typed attr() also support the \
    attributes data-lqip and data-lqip2.

    The stylesheet of '--kind css' renders the integers of '--kinds css', which go into --lqip-css. \
    A page can use both stylesheets.
    """

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Options",
      OutputOptions.table().map { $0.lifted(to: \.output) } + [
        .value(
          "--kind", "KIND", \.sheet, .choice,
          help: "Render lqip values (default) or css integers",
          details: "'lqip' is for values such as '#ccd94c11', 'css' for integers.")
      ])
  ]

  static let examples = [
    CommandExample(purpose: "Write the stylesheet of your site", line: "lqip css -o lqip.css"),
    CommandExample(
      purpose: "The same for CSS integers", line: "lqip css --kind css -o lqip-css.css"),
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
