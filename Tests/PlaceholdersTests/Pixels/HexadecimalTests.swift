import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct HexadecimalTests {
  @Test func `digits of either case have their values`() {
    #expect(hexDigits(of: "#0123456789abcdefABCDEF") == Array(0...15) + Array(10...15))
    #expect(hexDigits(of: "#") == [])
  }

  @Test func `neighbors of the digits are no digits`() {
    for character in ["/", ":", "@", "G", "`", "g", "#", " ", "\0", "é"] {
      #expect(hexDigits(of: "#1" + character) == nil, "\(character)")
    }
  }

  @Test(arguments: ["", "12", " #12", "\u{FF03}12"])
  func `digits stand behind a hash sign`(text: String) {
    #expect(hexDigits(of: text) == nil)
  }

  @Test func `numbers are filled up with zeros`() {
    #expect(hexString(0, digitCount: 8) == "#00000000")
    #expect(hexString(0xAB, digitCount: 6) == "#0000ab")
    #expect(hexString(.max, digitCount: 8) == "#ffffffff")
  }
}
