/// What light each 8-bit sample stands for: one table for each of red, green and blue.
///
/// Light is kept in fixed point with 35 fractional bits. That many hold every value of the sRGB table
/// of ``SRGB/linear`` without rounding, and sums of them do not depend on their order.
package struct TransferCurves: Sendable, Hashable {
  /// The number that stands for full light; an integer of 32 bits would not hold it.
  static let unit = 0x1p35

  package static let sRGB = TransferCurves(red: SRGB.linear, green: SRGB.linear, blue: SRGB.linear)

  /// Three tables of 256 entries, red's first.
  let light: [UInt64]

  /// Takes the linear light, in 0...1, of each sample.
  package init(red: [Float], green: [Float], blue: [Float]) {
    precondition([red, green, blue].allSatisfy { $0.count == 256 }, "a sample has 256 values")
    light = (red + green + blue).map { value in
      UInt64(Double(max(0, min(1, value))) * Self.unit)
    }
  }

  /// Takes a function from a sample, in 0...255, to its linear light, for all channels.
  package init(light: (Double) -> Double) {
    let table = (0...255).map { Float(light(Double($0))) }
    self.init(red: table, green: table, blue: table)
  }

  /// Whether no sample differs from sRGB's by more than half a step of that sample.
  package var isSRGB: Bool {
    light.indices.allSatisfy { index in
      let value = Float(light[index]) / Float(Self.unit)
      return SRGBEncoder.shared.sample(of: value) == UInt8(index & 255)
    }
  }
}
