import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPStringTests {
  @Test func `a text is a hash sign and eight lowercase digits`() {
    var random = LCG(seed: 9)
    for _ in 0..<2000 {
      // Shifted, so that there are small numbers as well.
      let bits =
        UInt32.random(in: 0...(.max), using: &random) >> UInt32.random(in: 0...31, using: &random)
      let text = PackedLQIP(rawValue: bits).string
      #expect(text.utf8.count == 9)
      #expect(text.wholeMatch(of: /#[0-9a-f]{8}/) != nil)
      #expect(UInt32(text.dropFirst(), radix: 16) == bits)
      #expect((try? PackedLQIP(text))?.rawValue == bits)
    }
  }

  @Test(
    arguments: [(0, "#00000000"), (0xFFFF_FFFF, "#ffffffff"), (0xAB, "#000000ab")]
      as [(UInt32, String)])
  func `zeros in front are written`(bits: UInt32, text: String) {
    #expect(PackedLQIP(rawValue: bits).string == text)
    #expect("\(PackedLQIP(rawValue: bits))" == text)
  }

  @Test func `digits of either case are read`() throws {
    #expect(try PackedLQIP("#AbCdEf09").rawValue == 0xABCD_EF09)
  }

  @Test(arguments: [
    "", "#", "#1234567", "#123456789", "123456789a", "#12345678 ", "#fff", "#é1234567",
  ])
  func `any other length is refused`(text: String) {
    #expect(throws: PackedLQIPError.wrongLength(text.utf8.count)) { try PackedLQIP(text) }
  }

  @Test(arguments: [
    "123456789", "#1234567g", "##2345678", "#+2345678", "#0x45678 ", "#é234567", " #1234567",
  ])
  func `nine characters that are no digits behind a hash sign are refused`(text: String) {
    #expect(throws: PackedLQIPError.notHexadecimal) { try PackedLQIP(text) }
  }
}
