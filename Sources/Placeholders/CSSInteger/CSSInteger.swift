/// A preview in one integer, rendered by a stylesheet: a base color and six brightness levels.
///
/// The 20 bits are, from the highest: the level of each cell of three columns and two rows in 2 bits, row-major;
/// the lightness of the base color in 2 bits, green to red in 3 and blue to yellow in 3. The integer is this number
/// minus 2^19, because CSS keeps six digits of a number.
///
/// Source: Lean Rada, "Minimal CSS-only blurry image placeholders" (2025),
/// <https://leanrada.com/notes/css-only-lqip/>.
public struct CSSInteger: Sendable, Hashable {
  /// The range of valid integers: 20 bits.
  public static let range: ClosedRange<Int> = -(1 << 19)...(1 << 19) - 1

  /// The integer in CSS, within ``range``.
  public let value: Int

  /// Creates a value from an integer; nil if it is outside ``range``.
  public init?(_ value: Int) {
    guard Self.range.contains(value) else { return nil }
    self.value = value
  }

  /// Packs the fields.
  init(levels: [Int], base: CSSIntegerBase) {
    value = levels.reduce(0) { $0 << 2 | $1 } << 8 - 1 << 19 + base.index
  }

  private var bits: Int { value + 1 << 19 }

  /// How light each cell is, 0...3; row-major.
  var levels: [Int] {
    (0..<6).map { bits >> (18 - 2 * $0) & 3 }
  }

  /// What lies under the cells.
  var base: CSSIntegerBase { CSSIntegerBase(index: bits & 255) }
}

extension CSSInteger: PlaceholderText {
  /// The reason why a text is not a CSS integer.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not an integer in ``CSSInteger/range``.
    case notInRange

    /// A readable message.
    public var description: String {
      "expected a whole number from \(CSSInteger.range.lowerBound) to \(CSSInteger.range.upperBound)"
    }
  }

  /// Parses an integer in decimal digits, without leading zeros or a plus sign.
  ///
  /// - Throws: ``ParsingError`` for any other text.
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
  /// - Throws: A `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let integer = CSSInteger(try container.decode(Int.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(ParsingError.notInRange)")
    }
    self = integer
  }

  /// Encodes the integer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
#endif

/// The base color of a CSS integer, one of 256.
struct CSSIntegerBase: Hashable, Sendable {
  /// The 8 bits: lightness, green to red, blue to yellow.
  let index: Int

  /// The color that the stylesheet gives it.
  let color: Oklab

  /// Takes the bits.
  init(index: Int) {
    self.index = index
    let (lightness, a, b) = (Float(index >> 6), Float(index >> 3 & 7), Float(index & 7))
    color = Oklab(
      components: SIMD3(lightness / 3 * 0.6 + 0.2, a / 8 * 0.7 - 0.35, (b + 1) / 8 * 0.7 - 0.35))
  }

  /// All there are, by their bits.
  static let all: [CSSIntegerBase] = (0..<256).map { CSSIntegerBase(index: $0) }

  /// The samples in 0...1 that a screen of sRGB shows of it.
  var encoded: SIMD3<Float> {
    SRGB.encoded(ofLinear: clamped(color.linear, to: .one))
  }

  /// A color where differences of hue count for more among grays.
  private static func spread(_ color: Oklab) -> SIMD3<Float> {
    let (l, a, b) = (color.components.x, color.components.y, color.components.z)
    let factor = 1 / (1e-6 + (a * a + b * b).squareRoot().squareRoot())
    return SIMD3(l, a * factor, b * factor)
  }

  private static let spreads: [SIMD3<Float>] = all.map { spread($0.color) }

  /// The one that the article's script takes for a color, where gray is held back.
  static func nearest(to color: Oklab) -> CSSIntegerBase {
    let target = spread(color)
    var best = (base: all[0], difference: Float.infinity)
    for (base, spread) in zip(all, spreads) {
      let offset = spread - target
      let penalty: Float = base.isGray ? 0.04 : 0
      let difference = penalty + dot(offset, offset).squareRoot()
      if difference < best.difference { best = (base, difference) }
    }
    return best.base
  }

  /// Whether it has no color.
  var isGray: Bool { index & 63 == 4 << 3 | 3 }
}
