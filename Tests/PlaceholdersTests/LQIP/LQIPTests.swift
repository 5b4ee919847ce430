import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPTests {
  private static let three = LQIP(LQIP.PackedColors(rawValue: 0x36B3_7520))
  private static let six = LQIP(
    LQIP.PackedColors(rawValue: 0x36B3_7520), LQIP.PackedColors(rawValue: 0x0123_4567))

  @Test(arguments: [(three, "#36b37520"), (six, "#36b37520 #01234567")])
  func `three and six colors survive a round trip as text`(lqip: LQIP, text: String) throws {
    #expect(lqip.description == text)
    #expect(try LQIP(parsing: text.uppercased()) == lqip)
  }

  @Test(arguments: [
    ("#36b37520 #0123456", LQIP.ParsingError.wrongLength(18)),
    ("#36b37520  #01234567", .wrongLength(20)), ("#36b37520,#01234567", .wrongLength(19)),
    ("#36b37520 001234567", .notHexadecimal), (" #36b37520 #0123456", .wrongLength(19)),
  ])
  func `a wrong separator or length is rejected`(text: String, error: LQIP.ParsingError) {
    #expect(throws: error) { try LQIP(parsing: text) }
    #expect(LQIP(text) == nil)
  }
}
