/// Rounds linear light to the same samples as ``SRGB/sample(ofLinear:)``, by a table.
struct SRGBEncoder: Sendable {
  private static let stepCount = 4096

  static let shared = SRGBEncoder()

  /// The sample of the lower end of each step.
  ///
  /// No step reaches beyond the next sample.
  private let samples: [UInt8]

  /// The least linear value that is rounded to each sample.
  private let thresholds: [Float]

  private init() {
    let thresholds = (0...256).map { sample -> Float in
      switch sample {
      case 0: 0
      case 256: .infinity
      default: Self.leastLinear(roundedTo: UInt8(sample))
      }
    }
    var sample: UInt8 = 0
    samples = (0...Self.stepCount).map { step in
      while Float(step) / Float(Self.stepCount) >= thresholds[Int(sample) + 1] { sample += 1 }
      return sample
    }
    self.thresholds = thresholds
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
    let color = clamped(color, to: .one)
    return SIMD3(sample(of: color.x), sample(of: color.y), sample(of: color.z))
  }

  /// The nearest samples of some colors, one after the other; their fourth lanes mean nothing.
  func samples(ofLinear colors: [SIMD4<Float>]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: colors.count * 3) { output, count in
      unsafe samples.withUnsafeBufferPointer { samples in
        unsafe thresholds.withUnsafeBufferPointer { thresholds in
          @inline(__always)
          func append(_ value: Float) {
            let value: Float = value > 0 ? (value < 1 ? value : 1) : 0
            let step = Int(truncatingIfNeeded: Int32(value * Float(Self.stepCount)))
            let guess = unsafe Int(samples[step])
            let isAbove = unsafe value >= thresholds[guess &+ 1]
            unsafe output[count] = UInt8(truncatingIfNeeded: guess &+ (isAbove ? 1 : 0))
            count &+= 1
          }
          for color in colors {
            append(color.x)
            append(color.y)
            append(color.z)
          }
        }
      }
    }
  }

  /// The nearest sample of a value in 0...1.
  func sample(of value: Float) -> UInt8 {
    let guess = Int(samples[Int(value * Float(Self.stepCount))])
    return UInt8(value >= thresholds[guess + 1] ? guess + 1 : guess)
  }
}
