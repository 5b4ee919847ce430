/// A preview in one integer, rendered by a stylesheet: a base color and six brightness levels.
///
/// The 20 bits contain, from the highest bit:
/// - the levels of six cells in three columns and two rows: row-major, 2 bits each;
/// - the base color: 2 bits for lightness, 3 for the green-red axis, and 3 for the blue-yellow axis.
///
/// The integer is the 20-bit number minus 2^19, because CSS preserves only six digits of a number.
///
/// Source: Lean Rada, "Minimal CSS-only blurry image placeholders" (2025),
/// <https://leanrada.com/notes/css-only-lqip/>.
public struct CSSInteger: Sendable, Hashable {
  /// The range of valid integers: all signed 20-bit integers.
  public static let range: ClosedRange<Int> = -(1 << 19)...(1 << 19) - 1

  /// The integer for the property `--lqip-css`, within ``range``.
  public let value: Int

  /// Creates a value from an integer; nil if it is outside ``range``.
  public init?(_ value: Int) {
    guard Self.range.contains(value) else { return nil }
    self.value = value
  }

  /// The largest value of each field, from the highest bit: six levels, then the lightness and the two axes of the base
  /// color.
  static let largest = [3, 3, 3, 3, 3, 3, 3, 7, 7]

  /// Packs fields, each in 0...its largest value.
  init(fields: [Int]) {
    value = zip(fields, Self.largest).reduce(0) { $0 * ($1.1 + 1) + $1.0 } - 1 << 19
  }

  var fields: [Int] {
    var bits = value + 1 << 19
    return Self.largest.reversed().map { largest in
      defer { bits /= largest + 1 }
      return bits % (largest + 1)
    }.reversed()
  }

  /// Returns the base color that the stylesheet computes from the last three fields.
  static func baseColor(_ fields: [Int]) -> Oklab {
    Oklab(
      components: SIMD3(
        Float(fields[6]) / 3 * 0.6 + 0.2, Float(fields[7]) / 8 * 0.7 - 0.35,
        Float(fields[8] + 1) / 8 * 0.7 - 0.35))
  }

  /// Returns the base color in encoded sRGB, clamped to 0...1.
  static func encodedBaseColor(_ fields: [Int]) -> SIMD3<Float> {
    SRGB.encoded(ofLinear: clamped(baseColor(fields).linear, to: .one))
  }
}

extension CSSInteger: PlaceholderText {
  /// The reason why a string is not a CSS integer.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The string is not the decimal form of an integer in ``CSSInteger/range``.
    case notInRange

    /// A one-line message.
    public var description: String {
      "expected a whole number from \(CSSInteger.range.lowerBound) to \(CSSInteger.range.upperBound)"
    }
  }

  /// Parses a decimal integer in ``range``, without leading zeros or a plus sign.
  ///
  /// - Throws: ``ParsingError`` for any other string.
  public init(parsing text: String) throws(ParsingError) {
    guard let value = Int(text), String(value) == text, let integer = CSSInteger(value) else {
      throw .notInRange
    }
    self = integer
  }

  /// The integer in decimal digits.
  public var description: String { "\(value)" }
}

#if !hasFeature(Embedded)
extension CSSInteger: Codable {
  /// Decodes an integer.
  ///
  /// - Throws: A `DecodingError` if the value is not an integer in range.
  public init(from decoder: any Decoder) throws {
    guard let integer = CSSInteger(try Int(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(ParsingError.notInRange)"))
    }
    self = integer
  }

  /// Encodes the integer.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
#endif

extension CSSInteger {
  static let gradients = [0.25, 0.75].flatMap { (y: Float) in
    [0.1667, 0.5, 0.8333].map { (x: Float) in
      LQIPGradient(center: [x, y], radius: [0.5, 0.75])
    }
  }

  /// Returns the gray and the opacity of a cell: blending it normally equals blending the level's gray in hard light.
  ///
  /// Source: W3C, "Compositing and Blending Level 1", section 9.1.8.
  static func shade(level: Int) -> (gray: Float, opacity: Float) {
    (level < 2 ? 0 : 1, abs(Float(level) * 0.4 - 0.6))
  }

  /// Renders the preview as a browser does with the ``stylesheet``.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  /// - Returns: Opaque pixels, within a few 8-bit steps of a browser's samples.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    let fields = fields
    // The first cell is drawn on top.
    let layers = zip(Self.gradients, fields).reversed().map { gradient, level in
      let (gray, opacity) = Self.shade(level: level)
      return GradientLayer(gradient: gradient, color: SIMD3(repeating: gray), opacity: opacity)
    }
    return RGBABitmap(
      width: width, height: height, layers: layers, over: Self.encodedBaseColor(fields))
  }
}

extension CSSInteger: DrawnPlaceholder {
  package var previewRatio: (x: Int, y: Int) { (3, 2) }
}
