extension LQIP {
  /// Three colors in 32 bits.
  ///
  /// From the highest bit: the first two colors with 4 bits of red, 4 of green and 3 of blue each, then the third color
  /// with 3, 4 and 3 bits. A field of b bits with the value n stands for n / (2^b - 1) in encoded sRGB.
  ///
  /// Source: frzi/lqip-css.
  public struct PackedColors: Sendable, Hashable {
    /// The number of bits for the red, green and blue of each color.
    static let fieldWidths: [SIMD3<UInt32>] = [[4, 4, 3], [4, 4, 3], [3, 4, 3]]

    /// The offset of each field from the lowest bit.
    static let fieldShifts: [SIMD3<UInt32>] = [[28, 24, 21], [17, 13, 10], [7, 3, 0]]

    /// The packed bits.
    public let rawValue: UInt32

    /// Creates a value from the packed bits; all 2^32 values are valid.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Packs the fields of three colors; each field must fit in its width.
    init(fields: [SIMD3<UInt32>]) {
      precondition(fields.count == 3, "expected three colors")
      rawValue = zip(fields, Self.fieldShifts).reduce(0) { bits, color in
        bits | color.0.x << color.1.x | color.0.y << color.1.y | color.0.z << color.1.z
      }
    }

    /// Packs three encoded colors in 0...1, rounding each channel independently.
    init(rounding colors: some Sequence<SIMD3<Float>>) {
      self.init(
        fields: zip(colors, Self.largestFields).map { color, largest in
          SIMD3<UInt32>((clamped(color, to: .one) * largest).rounded(.toNearestOrAwayFromZero))
        })
    }

    /// The largest value of each field.
    static let largestFields: [SIMD3<Float>] = fieldWidths.map { widths in
      SIMD3<Float>(Float(1 << widths.x - 1), Float(1 << widths.y - 1), Float(1 << widths.z - 1))
    }

    /// The fields of the three colors.
    var fields: [SIMD3<UInt32>] {
      zip(Self.fieldWidths, Self.fieldShifts).map { widths, shifts in
        (SIMD3(repeating: rawValue) &>> shifts) & (SIMD3(repeating: 1) &<< widths &- 1)
      }
    }

    /// The three colors: red, green and blue of encoded sRGB, 0...1.
    public var colors: [SIMD3<Float>] {
      zip(fields, Self.largestFields).map { SIMD3<Float>($0) / $1 }
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
  /// The number of fields.
  static let fieldCount = 9

  /// The largest value of each field, as in ``largestFields``.
  static let largest: PackedFields = perField { largestFields[$0][$1] }

  /// The step size of each field in encoded sRGB; zero in the remaining lanes.
  static let stepSizes: PackedFields = perField { 1 / largestFields[$0][$1] }

  /// The offset of each field from the lowest bit, as in ``fieldShifts``.
  private static let shifts: SIMD16<UInt32> = {
    var shifts = SIMD16<UInt32>.zero
    for field in 0..<fieldCount { shifts[field] = fieldShifts[field / 3][field % 3] }
    return shifts
  }()

  private static func perField(_ value: (_ color: Int, _ channel: Int) -> Float) -> PackedFields {
    var fields = PackedFields.zero
    for field in 0..<fieldCount { fields[field] = value(field / 3, field % 3) }
    return fields
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

  /// The integer level of each field.
  var levels: PackedFields {
    var levels = PackedFields.zero
    for field in 0..<Self.fieldCount {
      levels[field] = Float(rawValue &>> Self.shifts[field] & UInt32(Self.largest[field]))
    }
    return levels
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
}

extension LQIP.PackedColors {
  /// Returns the packed value of three colors that look gray, given their levels of blue, 0...7.
  ///
  /// With 4, 4 and 3 bits, only black and white are exactly gray. For each level of blue, there is one color whose
  /// channels differ by at most 8/255.
  static func neutral(_ levels: SIMD3<Int>) -> Self {
    Self(
      fields: (0..<3).map { color in
        let level = UInt32(levels[color])
        let fourBitLevel = fourBitLevels[Int(level)]
        return SIMD3(fieldWidths[color].x == 4 ? fourBitLevel : level, fourBitLevel, level)
      })
  }

  /// The four-bit level nearest to each three-bit level.
  private static let fourBitLevels: [UInt32] = [0, 2, 4, 6, 9, 11, 13, 15]
}
