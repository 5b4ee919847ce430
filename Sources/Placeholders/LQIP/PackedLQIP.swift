/// Three colors in 32 bits, from which CSS alone draws a preview.
///
/// From the highest bit on: color 0 at the top left and color 1 at the center with 4 bits of red, 4 of
/// green and 3 of blue each, then color 2 at the bottom right with 3, 4 and 3. A field n of b bits stands
/// for n / (2^b - 1) of encoded sRGB.
///
/// Source: frzi/lqip-css.
public struct PackedLQIP: RawRepresentable, Sendable, Hashable {
  /// The bits of red, green and blue of each color.
  static let fieldWidths: [SIMD3<UInt32>] = [[4, 4, 3], [4, 4, 3], [3, 4, 3]]

  /// How far each field lies from the lowest bit.
  static let fieldShifts: [SIMD3<UInt32>] = [[28, 24, 21], [17, 13, 10], [7, 3, 0]]

  /// The packed bits.
  public let rawValue: UInt32

  /// Takes the packed bits; each of the 2^32 values is valid.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Packs the fields of three colors, which must not exceed their widths.
  init(fields: [SIMD3<UInt32>]) {
    precondition(fields.count == 3, "there are three colors")
    rawValue = zip(fields, Self.fieldShifts).reduce(0) { bits, color in
      bits | color.0.x << color.1.x | color.0.y << color.1.y | color.0.z << color.1.z
    }
  }

  /// Packs the nearest fields of three encoded colors in 0...1, each channel by itself.
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

  /// The three colors: encoded sRGB in 0...1, top left, center, bottom right.
  public var colors: [SIMD3<Float>] {
    zip(fields, Self.largestFields).map { SIMD3<Float>($0) / $1 }
  }
}

extension PackedLQIP: CustomStringConvertible {
  /// Reads `#` and 8 hexadecimal digits of either case.
  ///
  /// - Throws: ``PackedLQIPError`` for any other text.
  public init(_ string: String) throws(PackedLQIPError) {
    guard string.utf8.count == 9 else { throw .wrongLength(string.utf8.count) }
    guard let digits = hexDigits(of: string) else { throw .notHexadecimal }
    self.init(rawValue: digits.reduce(0) { $0 << 4 | UInt32($1) })
  }

  /// `#` and 8 lowercase hexadecimal digits: a color as far as CSS knows, with alpha as its last byte.
  public var string: String { hexString(rawValue, digitCount: 8) }

  /// The text.
  public var description: String { string }
}

#if !hasFeature(Embedded)
/// Coded as text: `#` and 8 hexadecimal digits.
extension PackedLQIP: Codable {
  /// Reads the text, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueOfText { try PackedLQIP($0) }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text: string)
  }
}
#endif

/// Why a text is not a packed LQIP.
@nonexhaustive
public enum PackedLQIPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It does not have the 9 characters that there must be; counted in UTF-8 bytes.
  case wrongLength(Int)

  /// It is not a `#` with hexadecimal digits behind it.
  case notHexadecimal

  /// One line for people.
  public var description: String {
    switch self {
    case .wrongLength(let length): "expected 9 characters, found \(length)"
    case .notHexadecimal: "expected '#' followed by 8 hexadecimal digits"
    }
  }
}

/// A number for each of the nine fields of a packed LQIP.
///
/// These are the red, green and blue of color 0, then of the others. The remaining lanes are zero.
typealias PackedFields = SIMD16<Float>

extension PackedLQIP {
  /// How many fields there are.
  static let fieldCount = 9

  /// The largest value of each field, as in ``largestFields``.
  static let largest: PackedFields = inFields { largestFields[$0][$1] }

  /// What a step of each field is in encoded light, and zero beyond the fields.
  static let units: PackedFields = inFields { 1 / largestFields[$0][$1] }

  /// How far each field lies from the lowest bit, as in ``fieldShifts``.
  private static let shifts: SIMD16<UInt32> = {
    var shifts = SIMD16<UInt32>.zero
    for field in 0..<fieldCount { shifts[field] = fieldShifts[field / 3][field % 3] }
    return shifts
  }()

  private static func inFields(_ value: (_ color: Int, _ channel: Int) -> Float) -> PackedFields {
    var fields = PackedFields.zero
    for field in 0..<fieldCount { fields[field] = value(field / 3, field % 3) }
    return fields
  }

  /// Packs the nearest values of encoded channels in 0...1.
  init(rounding channels: PackedFields) {
    self.init(levels: (channels * Self.largest).rounded(.toNearestOrAwayFromZero))
  }

  /// Packs whole numbers within their fields.
  init(levels: PackedFields) {
    var bits: UInt32 = 0
    // To convert a vector costs more than ten times as much.
    for field in 0..<Self.fieldCount { bits |= UInt32(levels[field]) &<< Self.shifts[field] }
    self.init(rawValue: bits)
  }

  /// The value of each field.
  var levels: PackedFields {
    var levels = PackedFields.zero
    for field in 0..<Self.fieldCount {
      levels[field] = Float(rawValue &>> Self.shifts[field] & UInt32(Self.largest[field]))
    }
    return levels
  }

  /// The value with another level of one field; nil where there is none.
  func stepped(_ field: Int, by step: Float) -> PackedLQIP? {
    var levels = levels
    levels[field] += step
    guard (0...Self.largest[field]).contains(levels[field]) else { return nil }
    return PackedLQIP(levels: levels)
  }

  /// The channels of the three colors, encoded, in 0...1.
  var channels: PackedFields { levels * Self.units }
}

extension PackedLQIP {
  /// The value in which every color looks gray, with the given values of blue in 0...7.
  ///
  /// With 4, 4 and 3 bits only black and white are exactly gray. A color has eight values whose channels
  /// differ by at most 8/255, one for each value of its blue.
  static func neutral(_ levels: SIMD3<Int>) -> PackedLQIP {
    PackedLQIP(
      fields: (0..<3).map { color in
        let level = UInt32(levels[color])
        let four = fourBits[Int(level)]
        return SIMD3(fieldWidths[color].x == 4 ? four : level, four, level)
      })
  }

  /// What is about as light with four bits as each level is with three.
  private static let fourBits: [UInt32] = [0, 2, 4, 6, 9, 11, 13, 15]
}
