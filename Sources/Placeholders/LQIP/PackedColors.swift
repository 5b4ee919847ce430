extension LQIP {
  /// Three colors in 32 bits.
  ///
  /// From the highest bit: the first two colors with 4 bits of red, 4 of green and 3 of blue each, then the third color
  /// with 3, 4 and 3 bits. A field of b bits with the value n stands for n / (2^b - 1) in encoded sRGB.
  ///
  /// Source: frzi/lqip-css.
  public struct PackedColors: Sendable, Hashable {
    /// The packed bits.
    public let rawValue: UInt32

    /// Creates a value from the packed bits; all 2^32 values are valid.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// The three colors: red, green and blue of encoded sRGB, 0...1.
    public var colors: [SIMD3<Float>] {
      let channels = levels / Self.largest
      return (0..<3).map { SIMD3(channels[3 * $0], channels[3 * $0 + 1], channels[3 * $0 + 2]) }
    }
  }
}

extension LQIP.PackedColors: PlaceholderText {
  /// Parses `#` and 8 hexadecimal digits of either case.
  ///
  /// - Throws: ``LQIP/ParsingError`` for any other string.
  public init(parsing text: String) throws(LQIP.ParsingError) {
    guard text.utf8.count == 9 else { throw .wrongLength(text.utf8.count) }
    guard let digits = hexDigits(of: text) else { throw .notHexadecimal }
    self.init(rawValue: digits.reduce(0) { $0 << 4 | UInt32($1) })
  }

  /// `#` and 8 lowercase hexadecimal digits; CSS parses this string as a color with alpha.
  public var description: String { hexString(rawValue, digitCount: 8) }
}

/// A number for each of the nine fields of a packed value: red, green and blue of each color.
///
/// The remaining lanes are zero.
typealias PackedFields = SIMD16<Float>

extension LQIP.PackedColors {
  static let fieldCount = 9

  static let widths: [UInt32] = [4, 4, 3, 4, 4, 3, 3, 4, 3]

  /// The offset of each field from the lowest bit.
  static let shifts: [UInt32] = [28, 24, 21, 17, 13, 10, 7, 3, 0]

  static let largest: PackedFields = perField { Float(1 << widths[$0] - 1) }

  /// The step size of each field in encoded sRGB; zero in the remaining lanes.
  static let stepSizes: PackedFields = perField { 1 / largest[$0] }

  private static func perField(_ value: (_ field: Int) -> Float) -> PackedFields {
    var fields = PackedFields.zero
    for field in 0..<fieldCount { fields[field] = value(field) }
    return fields
  }

  /// Packs three encoded colors, clamping channels to 0...1 and rounding each independently.
  init(rounding colors: [SIMD3<Float>]) {
    self.init(rounding: Self.perField { clamped(colors[$0 / 3], to: .one)[$0 % 3] })
  }

  /// Packs encoded channels in 0...1, rounding each independently.
  init(rounding channels: PackedFields) {
    self.init(levels: (channels * Self.largest).rounded(.toNearestOrAwayFromZero))
  }

  /// Packs integer levels, which must be in the ranges of their fields.
  init(levels: PackedFields) {
    var bits: UInt32 = 0
    // Converting the complete vector takes more than ten times as long.
    for field in 0..<Self.fieldCount { bits |= UInt32(levels[field]) &<< Self.shifts[field] }
    self.init(rawValue: bits)
  }

  var levels: PackedFields {
    Self.perField { Float(rawValue &>> Self.shifts[$0] & (1 &<< Self.widths[$0] &- 1)) }
  }

  /// Returns the packed value with one field changed by `step`; nil if the result is out of the field's range.
  func stepped(_ field: Int, by step: Float) -> Self? {
    var levels = levels
    levels[field] += step
    guard (0...Self.largest[field]).contains(levels[field]) else { return nil }
    return Self(levels: levels)
  }

  /// The encoded channels of the three colors, 0...1.
  var channels: PackedFields { levels * Self.stepSizes }

  /// Returns the packed value of three colors that look gray, given their levels of blue, 0...7.
  ///
  /// With 4, 4 and 3 bits, only black and white are exactly gray. For each level of blue, there is one color whose
  /// channels differ by at most 8/255.
  static func neutral(_ levels: SIMD3<Int>) -> Self {
    Self(
      levels: perField { field in
        let level = levels[field / 3]
        return widths[field] == 3 ? Float(level) : fourBitLevels[level]
      })
  }

  /// The four-bit level nearest to each three-bit level.
  private static let fourBitLevels: [Float] = [0, 2, 4, 6, 9, 11, 13, 15]
}
