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
