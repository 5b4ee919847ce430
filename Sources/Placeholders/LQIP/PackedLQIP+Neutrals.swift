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
