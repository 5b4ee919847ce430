import Foundation

/// The sRGB curve of IEC 61966-2-1, in double precision.
package enum IEC61966 {
  /// The linear light of an encoded value, both in 0...1.
  package static func linear(ofEncoded value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The linear light of an encoded color, all channels in 0...1.
  package static func linear(ofEncoded color: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      Float(linear(ofEncoded: Double(color.x))), Float(linear(ofEncoded: Double(color.y))),
      Float(linear(ofEncoded: Double(color.z))))
  }

  /// The linear light of an 8-bit sample.
  package static func linear(ofSample sample: UInt8) -> Double {
    linear(ofEncoded: Double(sample) / 255)
  }

  /// The encoded value of linear light, both in 0...1.
  package static func encoded(ofLinear value: Double) -> Double {
    value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
  }
}
