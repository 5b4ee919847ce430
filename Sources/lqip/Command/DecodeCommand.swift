internal import LqipFiles
internal import LqipOptions
internal import PlaceholderEncoding
internal import LqipRecords

/// Draws a placeholder string as a PNG image.
struct DecodeCommand: Command {
  var string: String?
  var output: FilePath?
  var overwrites = false
  var options = PreviewOptions()

  static let name = "decode"
  static let summary = "Draw a BlurHash or an LQIP as a PNG image."
  static let operand = "STRING"
  static let discussion = """
    STRING is a BlurHash, or an LQIP such as '#ccd94c11'. One that begins with '-' goes after \
    '--'.

    The image is 256 pixels wide unless told otherwise. If only one side is given, the other \
    follows: by the ratio of the components for a BlurHash, as a square for an LQIP.

    The exit code is 0 if the image was written, 1 if the string is malformed, 2 if the command \
    line is wrong, and 3 if the image cannot be written.
    """

  static let options: [CommandOption<Self>] =
    [
      .value(
        "--output", short: "o", "FILE", \.output, .path,
        help: "Write to FILE; '-' is standard output, the default unless that is a terminal."),
      .flag("--force", \.overwrites, help: "Replace FILE even if this program did not write it."),
    ] + PreviewOptions.table(maximumSide: maximumSide).map { $0.lifted(to: \.options) }

  /// Bounds the memory that a preview takes, far above any that is looked at.
  private static let maximumSide = 4096

  /// The one length of a BlurHash that begins with `#`, whose size digit stands for 9x7.
  private static let numberSignBlurHashLength = 4 + 2 * 9 * 7

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    guard string == nil else { throw .unexpectedOperand(operand.text) }
    string = operand.text
  }

  func validate() throws(UsageError) {
    guard string != nil else { throw .missingOperand(Self.operand) }
    if let reason = options.conflict(isLQIP: isLQIP) { throw .conflict(reason) }
  }

  @MainActor
  func run() async throws(CommandError) -> ExitStatus {
    guard output != nil || isatty(STDOUT_FILENO) == 0 else {
      throw .usage("a PNG image is not for a terminal; give '--output FILE'")
    }
    let bitmap = try bitmap
    let png: [UInt8]
    do {
      png = try PNGWriter.bytes(of: bitmap)
    } catch {
      throw .failed("\(error)")
    }
    let destination = try OutputDestination(output)
    try destination.checkOverwriting(force: overwrites) { Preview.isOutput($0, like: png) }
    var output = try OutputFile(destination)
    try output.write(png)
    try output.commit()
    return .success
  }

  private var text: String {
    string ?? ""
  }

  private var isLQIP: Bool {
    text.hasPrefix("#") && text.utf8.count != Self.numberSignBlurHashLength
  }

  private var bitmap: Bitmap {
    get throws(CommandError) {
      do {
        return try options.preview(
          of: text, isLQIP: isLQIP, maximumSide: Self.maximumSide
        ).bitmap
      } catch {
        switch error {
        case .malformed(let reason): throw .failed(reason)
        case .conflict(let reason): throw .usage(reason)
        }
      }
    }
  }
}
