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

  init(levels: [Int], base: CSSIntegerBase) {
    value = levels.reduce(0) { $0 << 2 | $1 } << 8 - 1 << 19 + base.index
  }

  private var bits: Int { value + 1 << 19 }

  /// The brightness level of each cell, 0...3; row-major.
  var levels: [Int] {
    (0..<6).map { bits >> (18 - 2 * $0) & 3 }
  }

  /// The base color, over which the cells are drawn.
  var base: CSSIntegerBase { CSSIntegerBase(index: bits & 255) }
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
  /// The packed color, 0...255: 2 bits for lightness, 3 for the green-red axis, and 3 for the blue-yellow axis.
  let index: Int

  /// The color that the stylesheet computes from ``index``.
  let color: Oklab

  /// Creates the color with an index in 0...255.
  init(index: Int) {
    self.index = index
    let (lightness, a, b) = (Float(index >> 6), Float(index >> 3 & 7), Float(index & 7))
    color = Oklab(
      components: SIMD3(lightness / 3 * 0.6 + 0.2, a / 8 * 0.7 - 0.35, (b + 1) / 8 * 0.7 - 0.35))
  }

  /// All base colors, in the order of their indices.
  static let all: [CSSIntegerBase] = (0..<256).map { CSSIntegerBase(index: $0) }

  /// The color in encoded sRGB, clamped to 0...1.
  var encoded: SIMD3<Float> {
    SRGB.encoded(ofLinear: clamped(color.linear, to: .one))
  }

  /// Scales a color so that distances give more weight to differences in hue among near-grays.
  private static func hueWeighted(_ color: Oklab) -> SIMD3<Float> {
    let (l, a, b) = (color.components.x, color.components.y, color.components.z)
    let factor = 1 / (1e-6 + (a * a + b * b).squareRoot().squareRoot())
    return SIMD3(l, a * factor, b * factor)
  }

  private static let hueWeightedColors: [SIMD3<Float>] = all.map { hueWeighted($0.color) }

  /// Returns the base color that the script in Lean Rada's article would select; grays are penalized.
  static func nearest(to color: Oklab) -> CSSIntegerBase {
    let target = hueWeighted(color)
    var best = (base: all[0], difference: Float.infinity)
    for (base, candidate) in zip(all, hueWeightedColors) {
      let offset = candidate - target
      let penalty: Float = base.isGray ? 0.04 : 0
      let difference = penalty + dot(offset, offset).squareRoot()
      if difference < best.difference { best = (base, difference) }
    }
    return best.base
  }

  var isGray: Bool { index & 63 == 4 << 3 | 3 }
}
