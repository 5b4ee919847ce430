#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
internal import Placeholders

/// Draws a placeholder string as a PNG image.
struct DecodeCommand: Command {
  var string: String?
  var output: FilePath?
  var width: Int?
  var height: Int?
  var punch: Float?
  var second: PackedLQIP?

  static let name = "decode"
  static let summary = "Draw a BlurHash or an LQIP as a PNG image."
  static let operand = "STRING"
  static let discussion = """
    STRING is a BlurHash, or an LQIP such as '#ccd94c11'. One that begins with '-' goes after \
    '--'.

    The image is 256 pixels wide unless told otherwise. If only one side is given, the other \
    follows: by the ratio of the components for a BlurHash, as a square for an LQIP.

    The exit code is 0 if the image was written, 1 if the string is malformed or the image cannot \
    be written, and 2 if the command line is wrong.
    """

  static let options: [CommandOption<Self>] = [
    .value(
      "--output", short: "o", "FILE", \.output, .path,
      help: "Write to FILE; '-' is standard output, the default unless that is a terminal."),
    .value(
      "--width", "PIXELS", \.width, .integer(in: 1...maximumSide),
      help: "Width of the image, up to \(maximumSide)."),
    .value(
      "--height", "PIXELS", \.height, .integer(in: 1...maximumSide),
      help: "Height of the image, up to \(maximumSide)."),
    .value(
      "--lqip2", "LQIP", \.second, .lqip,
      help: "The second value of an LQIP of six colors."),
    .value(
      "--punch", "NUMBER", \.punch, .positive,
      help: "Contrast of a BlurHash: above 1 for more, below for less. Default: 1."),
  ]

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
    guard second == nil || isLQIP else {
      throw .conflict("option '--lqip2' is for an LQIP; a BlurHash has no second value")
    }
    guard punch == nil || !isLQIP else {
      throw .conflict("option '--punch' is for a BlurHash; an LQIP has no contrast to change")
    }
  }

  @MainActor
  func run() async throws(CommandError) -> ExitStatus {
    guard output != nil || isatty(STDOUT_FILENO) == 0 else {
      throw .usage(.conflict("a PNG image is not for a terminal; give '--output FILE'"))
    }
    let bitmap = isLQIP ? try drawLQIP() : try drawBlurHash()
    var output = try OutputFile(output)
    try output.write(PNGWriter.bytes(of: bitmap))
    try output.commit()
    return .success
  }

  private var text: String {
    string ?? ""
  }

  private var isLQIP: Bool {
    text.hasPrefix("#") && text.utf8.count != Self.numberSignBlurHashLength
  }

  private func drawLQIP() throws(CommandError) -> Bitmap {
    let lqip: PackedLQIP
    do {
      lqip = try PackedLQIP(text)
    } catch {
      throw .failed("malformed LQIP '\(FilePath(text))': \(error)")
    }
    let size = try size(ratio: 1, 1)
    return lqip.bitmap(width: size.width, height: size.height, second: second)
  }

  private func drawBlurHash() throws(CommandError) -> Bitmap {
    let hash: BlurHash
    do {
      hash = try BlurHash(text)
    } catch {
      throw .failed("malformed BlurHash '\(FilePath(text))': \(error)")
    }
    let size = try size(ratio: hash.components.x, hash.components.y)
    return hash.bitmap(width: size.width, height: size.height, punch: punch ?? 1)
  }

  /// The size of the image, whose missing sides follow from the ratio.
  private func size(ratio x: Int, _ y: Int) throws(CommandError) -> (width: Int, height: Int) {
    let width = width ?? height.map { Self.scaled($0, by: x, over: y) } ?? 256
    let height = height ?? Self.scaled(width, by: y, over: x)
    guard max(width, height) <= Self.maximumSide else {
      let limit = "a side may have \(Self.maximumSide) at most; give both '--width' and '--height'"
      throw .usage(.conflict("the image would have \(width)x\(height) pixels, but \(limit)"))
    }
    return (width, height)
  }

  private static func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}
