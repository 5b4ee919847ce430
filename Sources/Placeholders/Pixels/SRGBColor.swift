/// A CSS color: three 8-bit sRGB samples.
public struct SRGBColor: Sendable, Hashable {
  /// `#ffffff`.
  public static let white: SRGBColor = SRGBColor(red: 255, green: 255, blue: 255)
  /// `#000000`.
  public static let black: SRGBColor = SRGBColor(red: 0, green: 0, blue: 0)

  /// The red sample.
  public var red: UInt8

  /// The green sample.
  public var green: UInt8

  /// The blue sample.
  public var blue: UInt8

  /// Creates a color from its samples.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Rounds linear light to the nearest samples; values outside 0...1 are clamped.
  public init(linear color: SIMD3<Float>) {
    let samples = SRGB.samples(ofLinear: color)
    self.init(red: samples.x, green: samples.y, blue: samples.z)
  }

  /// The color in linear light, 0...1.
  var linear: SIMD3<Float> {
    SIMD3(SRGB.linear[Int(red)], SRGB.linear[Int(green)], SRGB.linear[Int(blue)])
  }
}

extension SRGBColor: PlaceholderText {
  /// The reason why a string is not a color.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The string is not `#` followed by 3 or 6 hexadecimal digits.
    case notHexadecimal

    /// A one-line message.
    public var description: String { "expected '#' followed by 3 or 6 hexadecimal digits" }
  }

  /// Parses `#rrggbb` or `#rgb`, with digits of either case.
  ///
  /// - Throws: ``ParsingError`` for any other string.
  public init(parsing text: String) throws(ParsingError) {
    guard let digits = hexDigits(of: text) else { throw .notHexadecimal }
    switch digits.count {
    case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6:
      self.init(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5])
    default: throw .notHexadecimal
    }
  }

  /// The color as `#rrggbb`, with lowercase digits.
  public var description: String {
    hexString(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), digitCount: 6)
  }
}
