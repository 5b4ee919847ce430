import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct SRGBEncoderTests {
  private static func expectAgreement(at value: Float) {
    let sample = SRGB.sample(ofLinear: value)
    #expect(
      SRGBEncoder.shared.samples(ofLinear: [value, 0, 1]) == [sample, 0, 255], "\(value)")
  }

  @Test func `the table agrees with the formula at both sides of every step`() {
    for sample in UInt8(1)...255 {
      var below = Float(0)
      var above = Float(1)
      while below.nextUp < above {
        let middle = (below + above) / 2
        if SRGB.sample(ofLinear: middle) < sample { below = middle } else { above = middle }
      }
      for value in [below.nextDown, below, above, above.nextUp] { Self.expectAgreement(at: value) }
    }
  }

  @Test func `the table agrees with the formula everywhere`() {
    for step in 0...20_000 { Self.expectAgreement(at: Float(step) / 20_000) }
  }

  @Test(arguments: [-1, -Float.leastNonzeroMagnitude, 0, 1, Float(1).nextUp, 7, .infinity])
  func `the table agrees with the formula at and beyond the ends`(value: Float) {
    Self.expectAgreement(at: value)
  }

  @Test(arguments: [Float.nan, -Float.nan, Float.signalingNaN, -Float.infinity])
  func `what is no number, or below all, is black`(value: Float) {
    #expect(SRGBEncoder.shared.samples(ofLinear: [value, 0.5, value]) == [0, 188, 0])
  }
}
