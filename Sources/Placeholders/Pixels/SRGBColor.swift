/// A color as it is written in CSS: three sRGB samples of 8 bits.
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

  /// Takes the three samples.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Takes `#rrggbb` or `#rgb`; nil for anything else.
  public init?(hex: String) {
    guard let digits = hexDigits(of: hex) else { return nil }
    switch digits.count {
    case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6:
      self.init(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5])
    default: return nil
    }
  }

  /// Rounds linear light to the nearest samples; values outside 0...1 are clamped.
  public init(linear color: SIMD3<Float>) {
    let samples = SRGB.samples(ofLinear: color)
    self.init(red: samples.x, green: samples.y, blue: samples.z)
  }

  /// The color as `#rrggbb`.
  public var hex: String {
    hexString(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), digitCount: 6)
  }

  /// The color in linear light, 0...1.
  var linear: SIMD3<Float> {
    SIMD3(SRGB.linear[Int(red)], SRGB.linear[Int(green)], SRGB.linear[Int(blue)])
  }
}

#if !hasFeature(Embedded)
/// Coded as text: `#rrggbb`.
extension SRGBColor: Codable {
  /// Reads the text, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueOfText { text throws in
      guard let color = SRGBColor(hex: text) else { throw NotAColor() }
      return color
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text: hex)
  }

  /// Why a text is no color.
  private struct NotAColor: Error, CustomStringConvertible {
    let description = "expected '#' followed by 3 or 6 hexadecimal digits"
  }
}
#endif
