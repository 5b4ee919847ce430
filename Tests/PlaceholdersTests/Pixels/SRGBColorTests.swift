import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

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
    "#12345g",
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

  @Test func `a color survives conversion to linear light and back`() {
    let color = SRGBColor(red: 1, green: 127, blue: 254)
    #expect(SRGBColor(linear: color.linear) == color)
    #expect(abs(Double(color.linear.y) - IEC61966.linear(ofSample: 127)) < 1e-7)
  }
}

@Suite struct SRGBColorCodableTests {
  private let text = "[\"#336699\"]"

  @Test func `a color is encoded in JSON as a string`() throws {
    let value = try #require(SRGBColor("#336699"))
    #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == text)
  }

  @Test func `a color is decoded from a JSON string`() throws {
    let value = try #require(SRGBColor("#336699"))
    #expect(try JSONDecoder().decode([SRGBColor].self, from: Data(text.utf8)) == [value])
  }

  @Test(arguments: ["[\"#33669\"]", "[1]", "[null]", "[{}]"])
  func `decoding JSON that is not a color throws`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SRGBColor].self, from: Data(json.utf8))
    }
  }
}
