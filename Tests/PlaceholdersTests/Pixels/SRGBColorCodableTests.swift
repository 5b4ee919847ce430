import Foundation
import Placeholders
import Testing

@Suite struct SRGBColorCodableTests {
  private let text = "[\"#336699\"]"

  @Test func `a value is coded as its text`() throws {
    let value = try #require(SRGBColor(hex: "#336699"))
    #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == text)
  }

  @Test func `the text is read back`() throws {
    let value = try #require(SRGBColor(hex: "#336699"))
    #expect(try JSONDecoder().decode([SRGBColor].self, from: Data(text.utf8)) == [value])
  }

  @Test(arguments: ["[\"#33669\"]", "[1]", "[null]", "[{}]"])
  func `anything else is an error of decoding`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SRGBColor].self, from: Data(json.utf8))
    }
  }
}
