import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct SRGBTests {
  @Test(arguments: UInt8.min...UInt8.max)
  func `the linear value of a sample matches the sRGB standard`(sample: UInt8) {
    let light = IEC61966.linear(ofSample: sample)
    #expect(abs(Double(SRGB.linear[Int(sample)]) - light) <= 5e-7 * light)
  }

  @Test func `encoding linear light matches the sRGB standard`() {
    for step in 0...10_000 {
      let light = Float(step) / 10_000
      let encoded = IEC61966.encoded(ofLinear: Double(light))
      #expect(abs(SRGB.encoded(ofLinear: light) - encoded) < 1e-6, "\(light)")
    }
  }

  @Test func `light out of range is clamped`() {
    #expect(SRGB.samples(ofLinear: [-0.5, 1.5, .infinity]) == [0, 255, 255])
    #expect(SRGB.encoded(ofLinear: -1) == 0)
    #expect(abs(SRGB.encoded(ofLinear: 2) - 1) < 1e-12)
  }
}

@Suite struct SRGBEncoderTests {
  private static func expectAgreement(at value: Float) {
    #expect(SRGB.samples(ofLinear: [value, 0, 1]) == [Self.sample(of: value), 0, 255], "\(value)")
  }

  private static func sample(of value: Float) -> UInt8 {
    UInt8(SRGB.encoded(ofLinear: value) * 255 + 0.5)
  }

  @Test func `the encoding table matches the formula on both sides of every step`() {
    for sample in UInt8(1)...255 {
      var below = Float(0)
      var above = Float(1)
      while below.nextUp < above {
        let middle = (below + above) / 2
        if Self.sample(of: middle) < sample { below = middle } else { above = middle }
      }
      for value in [below.nextDown, below, above, above.nextUp] { Self.expectAgreement(at: value) }
    }
  }

  @Test(arguments: [-1, -Float.leastNonzeroMagnitude, 0, 1, Float(1).nextUp, 7, .infinity])
  func `the encoding table matches the formula at the ends of the range and beyond`(value: Float) {
    Self.expectAgreement(at: value)
  }

  @Test(arguments: [Float.nan, -Float.nan, Float.signalingNaN, -Float.infinity])
  func `NaN and negative infinity are encoded as black`(value: Float) {
    #expect(SRGB.samples(ofLinear: [value, 0.5, value]) == [0, 188, 0])
  }
}
