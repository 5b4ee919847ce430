/// Conversions between 8-bit sRGB samples and linear light, with the rounding of the BlurHash reference.
///
/// Source: IEC 61966-2-1; `common.h` of woltapp/blurhash for the roundings to single precision.
package enum SRGB {
  /// The linear light of each sample, 0...1.
  static let linear: [Float] = (0...255).map { sample in
    let encoded = Float(sample) / 255
    return Double(encoded) <= 0.04045
      ? Float(Double(encoded) / 12.92)
      : PortableMath.power(Float((Double(encoded) + 0.055) / 1.055), 2.4)
  }

  /// Returns the sample nearest to a linear value, which is clamped to 0...1.
  static func sample(ofLinear value: Float) -> UInt8 {
    UInt8(encoded(ofLinear: value) * 255 + 0.5)
  }

  /// Returns the encoded form, in 0...1, of a linear value, which is clamped to 0...1.
  static func encoded(ofLinear value: Float) -> Double {
    let linear = max(0, min(1, value))
    return Double(linear) <= 0.0031308
      ? Double(linear) * 12.92
      : 1.055 * Double(PortableMath.power(linear, Float(1 / 2.4))) - 0.055
  }

  /// Returns the encoded channels, in 0...1, of a linear color, which is clamped to 0...1.
  static func encoded(ofLinear color: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      Float(encoded(ofLinear: color.x)), Float(encoded(ofLinear: color.y)),
      Float(encoded(ofLinear: color.z)))
  }

  /// Returns the samples nearest to a linear color, which is clamped to 0...1.
  package static func samples(ofLinear color: SIMD3<Float>) -> SIMD3<UInt8> {
    SIMD3(
      sample(ofLinear: color.x), sample(ofLinear: color.y), sample(ofLinear: color.z))
  }
}

/// Rounds linear light to the same samples as ``SRGB/sample(ofLinear:)``, but with a table.
struct SRGBEncoder: Sendable {
  private static let stepCount = 4096

  static let shared = SRGBEncoder()

  /// The rounding rule for the linear values that are nearest to one multiple of the step length.
  private struct Step {
    /// The sample of the lowest value in the step.
    let sample: UInt8
    /// The minimum value that is rounded to the next sample.
    let threshold: Float
  }

  /// The steps that cover 0...1; the values in a step are rounded to at most two different samples.
  private let steps: [Step]

  private init() {
    let thresholds = (0...256).map { sample -> Float in
      switch sample {
      case 0: 0
      case 256: .infinity
      default: Self.minimumLinear(roundedTo: UInt8(sample))
      }
    }
    var steps: [Step] = []
    steps.reserveCapacity(Self.stepCount + 1)
    for sample in UInt8.min...UInt8.max {
      let threshold = thresholds[Int(sample) + 1]
      // A step begins half of its length below its multiple.
      let end = min(1, threshold) * Float(Self.stepCount) + 0.5
      for _ in steps.count..<Int(end.rounded(.up)) {
        steps.append(Step(sample: sample, threshold: threshold))
      }
    }
    self.steps = steps
  }

  /// Returns the minimum linear value that ``SRGB/sample(ofLinear:)`` rounds to a sample.
  ///
  /// The inverse formula is inexact, so the search starts at its result.
  private static func minimumLinear(roundedTo sample: UInt8) -> Float {
    let encoded = (Float(sample) - 0.5) / 255
    var value =
      encoded <= 0.04045 ? encoded / 12.92 : PortableMath.power((encoded + 0.055) / 1.055, 2.4)
    while SRGB.sample(ofLinear: value) < sample { value = value.nextUp }
    while SRGB.sample(ofLinear: value.nextDown) >= sample { value = value.nextDown }
    return value
  }

  /// Returns the samples nearest to a linear color, which is clamped to 0...1; NaN becomes 0.
  func samples(ofLinear color: SIMD3<Float>) -> SIMD3<UInt8> {
    SIMD3(sample(of: color.x), sample(of: color.y), sample(of: color.z))
  }

  /// Returns the samples nearest to linear colors, as opaque RGBA pixels; the fourth lanes are ignored.
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

  /// Returns the samples nearest to four linear values, which are clamped to 0...1.
  @inline(__always)
  func samples(of values: SIMD4<Float>) -> SIMD4<UInt8> {
    unsafe steps.withUnsafeBufferPointer { steps in
      unsafe SIMD4(
        Self.sample(of: values.x, steps), Self.sample(of: values.y, steps),
        Self.sample(of: values.z, steps), Self.sample(of: values.w, steps))
    }
  }

  /// Returns the sample nearest to a linear value, which is clamped to 0...1.
  func sample(of value: Float) -> UInt8 {
    unsafe steps.withUnsafeBufferPointer { steps in unsafe Self.sample(of: value, steps) }
  }

  @inline(__always)
  private static func sample(of value: Float, _ steps: UnsafeBufferPointer<Step>) -> UInt8 {
    let positive = value > 0 ? value : 0
    let clamped = positive < 1 ? positive : 1
    // Adding 2^23 rounds to an integer, and moves it to the low bits of the result.
    let position = clamped * Float(stepCount) + 0x1p23
    let step = unsafe steps[Int(UInt16(truncatingIfNeeded: position.bitPattern))]
    return step.sample &+ (clamped >= step.threshold ? 1 : 0)
  }
}
