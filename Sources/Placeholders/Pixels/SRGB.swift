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

  /// Returns the samples nearest to a linear color, which is clamped to 0...1; NaN becomes 0.
  package static func samples(ofLinear color: SIMD3<Float>) -> SIMD3<UInt8> {
    let encoder = SRGBEncoder.shared
    return SIMD3(
      encoder.sample(of: color.x), encoder.sample(of: color.y), encoder.sample(of: color.z))
  }
}

/// Rounds linear light to samples with a table.
struct SRGBEncoder: Sendable {
  private static let stepCount = 4096

  static let shared = SRGBEncoder()

  /// The sample of the lowest value in each step of 0...1; the values in a step are rounded to at most two samples.
  private let samples: [UInt8]

  private init() {
    var samples: [UInt8] = []
    samples.reserveCapacity(Self.stepCount + 1)
    for (sample, threshold) in Self.thresholds.enumerated() {
      // A step begins half of its length below its multiple.
      let end = min(1, Float(bitPattern: threshold)) * Float(Self.stepCount) + 0.5
      let count = Int(end.rounded(.up)) - samples.count
      samples += repeatElement(UInt8(sample), count: count)
    }
    self.samples = samples
  }

  /// The bit patterns of the minimum linear values whose encoded form rounds to the samples 1 to 255, and of infinity.
  ///
  /// Computing them would take 3 % of the time of encoding a small image.
  private static let thresholds: [UInt32] = [
    0x391f22b4, 0x39eeb40e, 0x3a46eb61, 0x3a8b3e5e, 0x3ab3070b, 0x3adacfb8, 0x3b014c33, 0x3b153089,
    0x3b2914df, 0x3b3cf936, 0x3b50f2ce, 0x3b65fb9a, 0x3b7c3401, 0x3b89d05e, 0x3b962333, 0x3ba314bc,
    0x3bb0a72f, 0x3bbedcb5, 0x3bcdb76c, 0x3bdd3966, 0x3bed64ae, 0x3bfe3b44, 0x3c07df90, 0x3c10f919,
    0x3c1a6b30, 0x3c2436c7, 0x3c2e5cc7, 0x3c38de19, 0x3c43bba3, 0x3c4ef646, 0x3c5a8ee2, 0x3c668654,
    0x3c72dd70, 0x3c7f950e, 0x3c865701, 0x3c8d148e, 0x3c940394, 0x3c9b247a, 0x3ca277a6, 0x3ca9fd77,
    0x3cb1b652, 0x3cb9a297, 0x3cc1c2a7, 0x3cca16e1, 0x3cd29fa2, 0x3cdb5d4a, 0x3ce45031, 0x3ced78b4,
    0x3cf6d72d, 0x3d0035fb, 0x3d051bb3, 0x3d0a1ceb, 0x3d0f39d0, 0x3d14728a, 0x3d19c745, 0x3d1f382b,
    0x3d24c567, 0x3d2a6f21, 0x3d303583, 0x3d3618b6, 0x3d3c18e2, 0x3d423630, 0x3d4870c8, 0x3d4ec8d0,
    0x3d553e70, 0x3d5bd1d3, 0x3d628319, 0x3d69526a, 0x3d703fee, 0x3d774bca, 0x3d7e7623, 0x3d82df90,
    0x3d869372, 0x3d8a56ca, 0x3d8e29aa, 0x3d920c26, 0x3d95fe4d, 0x3d9a0034, 0x3d9e11ea, 0x3da23384,
    0x3da66510, 0x3daaa6a0, 0x3daef847, 0x3db35a15, 0x3db7cc1b, 0x3dbc4e6a, 0x3dc0e113, 0x3dc58428,
    0x3dca37b8, 0x3dcefbd4, 0x3dd3d08d, 0x3dd8b5f3, 0x3dddac19, 0x3de2b30a, 0x3de7cad9, 0x3decf395,
    0x3df22d4f, 0x3df77817, 0x3dfcd3fb, 0x3e012087, 0x3e03dfae, 0x3e06a77b, 0x3e0977f5, 0x3e0c5126,
    0x3e0f3313, 0x3e121dc4, 0x3e151144, 0x3e180d95, 0x3e1b12c2, 0x3e1e20d1, 0x3e2137cb, 0x3e2457b5,
    0x3e278099, 0x3e2ab27c, 0x3e2ded67, 0x3e313160, 0x3e347e6f, 0x3e37d49b, 0x3e3b33eb, 0x3e3e9c68,
    0x3e420e14, 0x3e4588fa, 0x3e490d21, 0x3e4c9a8f, 0x3e50314b, 0x3e53d15c, 0x3e577ac9, 0x3e5b2d99,
    0x3e5ee9d2, 0x3e62af7c, 0x3e667e9d, 0x3e6a573c, 0x3e6e395f, 0x3e722512, 0x3e761a53, 0x3e7a192d,
    0x3e7e21a6, 0x3e8119e2, 0x3e8327c8, 0x3e853a87, 0x3e875222, 0x3e896e9e, 0x3e8b8ffc, 0x3e8db641,
    0x3e8fe170, 0x3e92118b, 0x3e944696, 0x3e968094, 0x3e98bf89, 0x3e9b0377, 0x3e9d4c61, 0x3e9f9a4b,
    0x3ea1ed38, 0x3ea4452a, 0x3ea6a225, 0x3ea9042d, 0x3eab6b43, 0x3eadd76b, 0x3eb048a9, 0x3eb2beff,
    0x3eb53a72, 0x3eb7bb01, 0x3eba40b2, 0x3ebccb86, 0x3ebf5b82, 0x3ec1f0a7, 0x3ec48afa, 0x3ec72a7d,
    0x3ec9cf32, 0x3ecc791e, 0x3ecf2842, 0x3ed1dca2, 0x3ed49641, 0x3ed75521, 0x3eda1945, 0x3edce2b1,
    0x3edfb167, 0x3ee2856a, 0x3ee55ebc, 0x3ee83d62, 0x3eeb215c, 0x3eee0aaf, 0x3ef0f95d, 0x3ef3ed69,
    0x3ef6e6d6, 0x3ef9e5a6, 0x3efce9dd, 0x3efff37f, 0x3f018145, 0x3f030b82, 0x3f049878, 0x3f062827,
    0x3f07ba92, 0x3f094fba, 0x3f0ae79f, 0x3f0c8244, 0x3f0e1faa, 0x3f0fbfd2, 0x3f1162be, 0x3f13086e,
    0x3f14b0e4, 0x3f165c22, 0x3f180a29, 0x3f19baf9, 0x3f1b6e95, 0x3f1d24fe, 0x3f1ede35, 0x3f209a3b,
    0x3f225912, 0x3f241abb, 0x3f25df37, 0x3f27a688, 0x3f2970ae, 0x3f2b3dac, 0x3f2d0d84, 0x3f2ee033,
    0x3f30b5be, 0x3f328e25, 0x3f346969, 0x3f36478c, 0x3f38288f, 0x3f3a0c73, 0x3f3bf33a, 0x3f3ddce5,
    0x3f3fc975, 0x3f41b8eb, 0x3f43ab48, 0x3f45a08f, 0x3f4798bf, 0x3f4993da, 0x3f4b91e2, 0x3f4d92d8,
    0x3f4f96bd, 0x3f519d91, 0x3f53a758, 0x3f55b410, 0x3f57c3bd, 0x3f59d65e, 0x3f5bebf6, 0x3f5e0485,
    0x3f60200d, 0x3f623e91, 0x3f64600d, 0x3f668486, 0x3f68abfc, 0x3f6ad671, 0x3f6d03e5, 0x3f6f345b,
    0x3f7167d2, 0x3f739e4d, 0x3f75d7cd, 0x3f781452, 0x3f7a53dd, 0x3f7c9671, 0x3f7edc0e, 0x7f800000,
  ]

  /// Returns the samples nearest to linear colors, as opaque RGBA pixels; the fourth lanes are ignored.
  func pixels(ofLinear colors: [SIMD4<Float>]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: colors.count * 4) { output, count in
      for color in colors {
        unsafe output[count] = sample(of: color.x)
        unsafe output[count &+ 1] = sample(of: color.y)
        unsafe output[count &+ 2] = sample(of: color.z)
        unsafe output[count &+ 3] = .max
        count &+= 4
      }
    }
  }

  @inline(__always)
  func samples(of values: SIMD4<Float>) -> SIMD4<UInt8> {
    SIMD4(sample(of: values.x), sample(of: values.y), sample(of: values.z), sample(of: values.w))
  }

  /// Returns the sample nearest to a linear value, which is clamped to 0...1; NaN becomes 0.
  @inline(__always)
  func sample(of value: Float) -> UInt8 {
    let positive = value > 0 ? value : 0
    let clamped = positive < 1 ? positive : 1
    // Adding 2^23 rounds to an integer, and moves it to the low bits of the result.
    let position = clamped * Float(Self.stepCount) + 0x1p23
    let sample = samples[Int(UInt16(truncatingIfNeeded: position.bitPattern))]
    // Positive values are ordered like their bit patterns.
    return sample &+ (clamped.bitPattern >= Self.thresholds[Int(sample)] ? 1 : 0)
  }
}
