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

  /// The curves for samples that lack something, which is added to each of a channel.
  ///
  /// - Parameter missing: What red, green and blue lack, in 8-bit steps.
  /// - Returns: Curves read that much further on, between two entries where need be.
  package func compensated(for missing: SIMD3<Float>) -> TransferCurves {
    guard missing != .zero else { return self }
    let unit = Float(Self.unit)
    let tables = (0..<3).map { channel in
      (0...255).map { sample -> Float in
        let position = max(0, min(255, Float(sample) + missing[channel]))
        let lower = min(254, Int(position))
        let lowerLight = Float(light[channel * 256 + lower]) / unit
        let upperLight = Float(light[channel * 256 + lower + 1]) / unit
        return lowerLight + (upperLight - lowerLight) * (position - Float(lower))
      }
    }
    return TransferCurves(red: tables[0], green: tables[1], blue: tables[2])
  }

  /// Whether no sample differs from sRGB's by more than half a step of that sample.
  package var isSRGB: Bool {
    zip(light, Self.sRGB.light).allSatisfy { own, standard in
      let unit = Float(Self.unit)
      let ownSample = SRGB.encoded(ofLinear: Float(own) / unit)
      return abs(ownSample - SRGB.encoded(ofLinear: Float(standard) / unit)) <= 0.5 / 255
    }
  }
}
