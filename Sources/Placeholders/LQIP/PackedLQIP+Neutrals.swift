extension PackedLQIP {
  /// The values in which every color looks gray.
  ///
  /// With 4, 4 and 3 bits only black and white are exactly gray. A color has eight values whose channels
  /// differ by at most 8/255, one for each value of its blue.
  static let neutrals: [PackedLQIP] = {
    let fourBits: [UInt32] = [0, 2, 4, 6, 9, 11, 13, 15]
    return (0..<512 as Range<UInt32>).map { number in
      let levels = [number >> 6, number >> 3 & 7, number & 7]
      return PackedLQIP(
        fields: zip(levels, fieldWidths).map { level, widths in
          let four = fourBits[Int(level)]
          return SIMD3(widths.x == 4 ? four : level, four, level)
        })
    }
  }()
}
