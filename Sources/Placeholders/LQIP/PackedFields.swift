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
