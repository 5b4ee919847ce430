import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct SRGBTests {
  @Test(arguments: UInt8.min...UInt8.max)
  func `the light of a sample is that of the standard's formula`(sample: UInt8) {
    let light = IEC61966.linear(ofSample: sample)
    #expect(abs(Double(SRGB.linear[Int(sample)]) - light) <= 5e-7 * light)
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func `a sample survives the way to light and back`(sample: UInt8) {
    #expect(SRGB.sample(ofLinear: SRGB.linear[Int(sample)]) == sample)
  }

  @Test func `light is encoded by the standard's formula`() {
    for step in 0...10_000 {
      let light = Float(step) / 10_000
      let encoded = IEC61966.encoded(ofLinear: Double(light))
      #expect(abs(SRGB.encoded(ofLinear: light) - encoded) < 1e-6, "\(light)")
    }
  }

  @Test func `light is rounded to the nearest sample`() {
    for step in 0...10_000 {
      let light = Float(step) / 10_000
      let exact = IEC61966.encoded(ofLinear: Double(light)) * 255
      #expect(abs(Double(SRGB.sample(ofLinear: light)) - exact) < 0.5001, "\(light)")
    }
  }

  @Test func `light beyond what can be shown is clamped`() {
    #expect(SRGB.samples(ofLinear: [-0.5, 1.5, .infinity]) == [0, 255, 255])
    #expect(SRGB.encoded(ofLinear: -1) == 0)
    #expect(abs(SRGB.encoded(ofLinear: 2) - 1) < 1e-12)
  }
}
