extension PackedLQIP {
  /// A step of one field, up or down.
  struct Step {
    let color: Int
    let channel: Int

    /// How far the channel of the color goes, in encoded light.
    let distance: Float

    /// What is to be added to the packed bits.
    let bits: UInt32

    /// Whether the other step is of the same field.
    func isOpposite(to other: Step) -> Bool {
      color == other.color && channel == other.channel
    }
  }

  /// The steps that do not leave the range of their field.
  var steps: [Step] {
    (0..<9).flatMap { field -> [Step] in
      let (color, channel) = field.quotientAndRemainder(dividingBy: 3)
      let value = Float(fields[color][channel])
      let largest = Self.largestFields[color][channel]
      let unit = UInt32(1) << Self.fieldShifts[color][channel]
      let up = Step(color: color, channel: channel, distance: 1 / largest, bits: unit)
      let down = Step(color: color, channel: channel, distance: -1 / largest, bits: 0 &- unit)
      return (value < largest ? [up] : []) + (value > 0 ? [down] : [])
    }
  }

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
