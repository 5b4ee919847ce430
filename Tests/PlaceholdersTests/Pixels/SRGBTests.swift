import Foundation
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

@Suite struct SRGBColorTests {
  @Test(arguments: [
    ("#ffffff", SRGBColor.white), ("#000", .black),
    ("#1a2B3c", SRGBColor(red: 26, green: 43, blue: 60)),
    ("#f08", SRGBColor(red: 255, green: 0, blue: 136)),
  ])
  func `colors are parsed as in CSS`(text: String, color: SRGBColor) {
    #expect(SRGBColor(text) == color)
  }

  @Test(arguments: [
    "", "#", "#1", "#12", "#1234", "#12345", "#1234567", "#12345678", "123456", "##12345",
    "#12345g", "#12345G", "#12345/", "#12345:", "#12345@", "#12345`", "\u{FF03}12345",
    "# 12345", "#+12345", "#١٢٣", "white", "#12345\u{301}",
  ])
  func `text that is not a hexadecimal color is rejected`(text: String) {
    #expect(SRGBColor(text) == nil)
  }

  @Test(arguments: [("#0a0B0c", "#0a0b0c"), ("#000000", "#000000"), ("#FFF", "#ffffff")])
  func `a color is written with six lowercase digits`(text: String, written: String) {
    #expect(SRGBColor(text)?.description == written)
  }

  @Test func `linear light is rounded to the nearest sample`() {
    let half = IEC61966.linear(ofEncoded: 127.6 / 255)
    #expect(SRGBColor(linear: [Float(half), -1, 2]) == SRGBColor(red: 128, green: 0, blue: 255))
  }
}
