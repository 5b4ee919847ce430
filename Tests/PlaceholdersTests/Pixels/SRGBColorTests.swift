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
