/// Conversions between 8-bit sRGB samples and linear light, with the rounding of the BlurHash reference.
///
/// Source: IEC 61966-2-1; `common.h` of woltapp/blurhash for where it rounds to single precision.
package enum SRGB {
  /// Linear light in 0...1 of each sample.
  static let linear: [Float] = (0...255).map { sample in
    let encoded = Float(sample) / 255
    return Double(encoded) <= 0.04045
      ? Float(Double(encoded) / 12.92)
      : PortableMath.power(Float((Double(encoded) + 0.055) / 1.055), 2.4)
  }

  /// The sample nearest to a linear value, which is clamped to 0...1.
  static func sample(ofLinear value: Float) -> UInt8 {
    UInt8(encoded(ofLinear: value) * 255 + 0.5)
  }

  /// The encoded value in 0...1 of a linear value, which is clamped to 0...1.
  static func encoded(ofLinear value: Float) -> Double {
    let linear = max(0, min(1, value))
    return Double(linear) <= 0.0031308
      ? Double(linear) * 12.92
      : 1.055 * Double(PortableMath.power(linear, Float(1 / 2.4))) - 0.055
  }

  /// The encoded values in 0...1 of a linear color.
  static func encoded(ofLinear color: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      Float(encoded(ofLinear: color.x)), Float(encoded(ofLinear: color.y)),
      Float(encoded(ofLinear: color.z)))
  }

  /// The sample of every channel of a color.
  package static func samples(ofLinear color: SIMD3<Float>) -> SIMD3<UInt8> {
    SIMD3(
      sample(ofLinear: color.x), sample(ofLinear: color.y), sample(ofLinear: color.z))
  }
}

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
    var steps: [Step] = []
    steps.reserveCapacity(Self.stepCount + 1)
    for sample in UInt8.min...UInt8.max {
      let threshold = thresholds[Int(sample) + 1]
      // A step begins half of its length below its place.
      let end = min(1, threshold) * Float(Self.stepCount) + 0.5
      for _ in steps.count..<Int(end.rounded(.up)) {
        steps.append(Step(sample: sample, threshold: threshold))
      }
    }
    self.steps = steps
  }

  /// The formula's inverse is near, but only the formula itself tells on which side a value falls.
  private static func leastLinear(roundedTo sample: UInt8) -> Float {
    let encoded = (Float(sample) - 0.5) / 255
    var value =
      encoded <= 0.04045 ? encoded / 12.92 : PortableMath.power((encoded + 0.055) / 1.055, 2.4)
    while SRGB.sample(ofLinear: value) < sample { value = value.nextUp }
    while SRGB.sample(ofLinear: value.nextDown) >= sample { value = value.nextDown }
    return value
  }

  /// The nearest samples of a color, which is clamped to 0...1; what is no number becomes 0.
  func samples(ofLinear color: SIMD3<Float>) -> SIMD3<UInt8> {
    SIMD3(sample(of: color.x), sample(of: color.y), sample(of: color.z))
  }

  /// The nearest samples of colors, whose fourth lanes are ignored, each with an alpha of 255.
  func pixels(ofLinear colors: [SIMD4<Float>]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: colors.count * 4) { output, count in
      unsafe steps.withUnsafeBufferPointer { steps in
        for color in colors {
          unsafe output[count] = Self.sample(of: color.x, steps)
          unsafe output[count &+ 1] = Self.sample(of: color.y, steps)
          unsafe output[count &+ 2] = Self.sample(of: color.z, steps)
          unsafe output[count &+ 3] = .max
          count &+= 4
        }
      }
    }
  }

  /// The nearest samples of four values.
  @inline(__always)
  func samples(of values: SIMD4<Float>) -> SIMD4<UInt8> {
    unsafe steps.withUnsafeBufferPointer { steps in
      unsafe SIMD4(
        Self.sample(of: values.x, steps), Self.sample(of: values.y, steps),
        Self.sample(of: values.z, steps), Self.sample(of: values.w, steps))
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
