/// Conversions between 8-bit sRGB samples and linear light, with the rounding of the BlurHash reference.
///
/// Source: IEC 61966-2-1; `common.h` of woltapp/blurhash for where it rounds to single precision.
package enum SRGB {
  /// Linear light in 0...1 of each sample.
  static let linear: [Float] = (0...255).map { sample in
    let encoded = Float(sample) / 255
    return Double(encoded) <= 0.04045
      ? Float(Double(encoded) / 12.92)
      : Math.power(Float((Double(encoded) + 0.055) / 1.055), 2.4)
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
      : 1.055 * Double(Math.power(linear, Float(1 / 2.4))) - 0.055
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
