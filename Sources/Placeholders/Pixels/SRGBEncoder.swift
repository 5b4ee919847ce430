/// Rounds linear light to the same samples as ``SRGB/sample(ofLinear:)``, by a table.
struct SRGBEncoder: Sendable {
  private static let stepCount = 4096

  static let shared = SRGBEncoder()

  /// What the values around a multiple of a step's length are rounded to.
  private struct Step {
    /// The sample of the lowest of them.
    let sample: UInt8
    /// The least value that is rounded to the next sample.
    let threshold: Float
  }

  /// No step reaches beyond the next sample.
  private let steps: [Step]

  private init() {
    let thresholds = (0...256).map { sample -> Float in
      switch sample {
      case 0: 0
      case 256: .infinity
      default: Self.leastLinear(roundedTo: UInt8(sample))
      }
    }
    var sample: UInt8 = 0
    steps = (0...Self.stepCount).map { step in
      let start = (Float(step) - 0.5) / Float(Self.stepCount)
      while start >= thresholds[Int(sample) + 1] { sample += 1 }
      return Step(sample: sample, threshold: thresholds[Int(sample) + 1])
    }
  }

  /// The formula's inverse is near, but only the formula itself tells on which side a value falls.
  private static func leastLinear(roundedTo sample: UInt8) -> Float {
    let encoded = (Float(sample) - 0.5) / 255
    var value = encoded <= 0.04045 ? encoded / 12.92 : Math.power((encoded + 0.055) / 1.055, 2.4)
    while SRGB.sample(ofLinear: value) >= sample { value = value.nextDown }
    while SRGB.sample(ofLinear: value) < sample { value = value.nextUp }
    return value
  }

  /// The nearest samples of a color, which is clamped to 0...1; what is no number becomes 0.
  func samples(ofLinear color: SIMD3<Float>) -> SIMD3<UInt8> {
    SIMD3(sample(of: color.x), sample(of: color.y), sample(of: color.z))
  }

  /// The nearest samples of some colors, one after the other; their fourth lanes mean nothing.
  func samples(ofLinear colors: [SIMD4<Float>]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: colors.count * 3) { output, count in
      unsafe steps.withUnsafeBufferPointer { steps in
        for color in colors {
          unsafe output[count] = Self.sample(of: color.x, steps)
          unsafe output[count &+ 1] = Self.sample(of: color.y, steps)
          unsafe output[count &+ 2] = Self.sample(of: color.z, steps)
          count &+= 3
        }
      }
    }
  }

  /// The nearest sample of a value.
  func sample(of value: Float) -> UInt8 {
    unsafe steps.withUnsafeBufferPointer { steps in unsafe Self.sample(of: value, steps) }
  }

  @inline(__always)
  private static func sample(of value: Float, _ steps: UnsafeBufferPointer<Step>) -> UInt8 {
    let positive = value > 0 ? value : 0
    let clamped = positive < 1 ? positive : 1
    // Adding 2^23 rounds to an integer, which is then in the low bits of the result.
    let place = clamped * Float(stepCount) + 0x1p23
    let step = unsafe steps[Int(UInt16(truncatingIfNeeded: place.bitPattern))]
    return step.sample &+ (clamped >= step.threshold ? 1 : 0)
  }
}
