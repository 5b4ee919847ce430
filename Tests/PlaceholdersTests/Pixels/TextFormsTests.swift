import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct Base64Tests {
  @Test(arguments: 0...70)
  func `Base64 encoding matches Foundation`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 197 + 250) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
  }

  @Test(arguments: 0...70)
  func `Base64 decoding matches Foundation`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 197 + 250) }
    #expect(Base64.decode(Data(bytes).base64EncodedData()) == bytes)
  }

  @Test(arguments: [
    "YQ", "YQ=", "YR==", "YQ==\n", "Y Q==", "=YQ=", "Y", "Y===", "YQ==YQ==", "Y-==",
  ])
  func `invalid base64 is rejected`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }
}

@Suite struct HexadecimalTests {
  @Test func `uppercase and lowercase hexadecimal digits are accepted`() {
    #expect(hexDigits(of: "#0123456789abcdefABCDEF") == Array(0...15) + Array(10...15))
    #expect(hexDigits(of: "#") == [])
  }

  @Test func `characters that are not hexadecimal digits are rejected`() {
    for character in ["/", ":", "@", "G", "`", "g", "#", " ", "\0", "é"] {
      #expect(hexDigits(of: "#1" + character) == nil, "\(character)")
    }
  }

  @Test(arguments: ["", "12", " #12", "\u{FF03}12"])
  func `digits without a hash sign are rejected`(text: String) {
    #expect(hexDigits(of: text) == nil)
  }

  @Test func `hexadecimal numbers are padded with zeros`() {
    #expect(hexString(0, digitCount: 8) == "#00000000")
    #expect(hexString(0xAB, digitCount: 6) == "#0000ab")
    #expect(hexString(.max, digitCount: 8) == "#ffffffff")
  }
}
