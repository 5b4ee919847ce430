import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPErrorTests {
  @Test func `an error says in one line what is wrong`() {
    #expect(
      "\(PackedLQIPError.wrongLength(4))" == "expected 9 characters, found 4")
    #expect(
      "\(PackedLQIPError.notHexadecimal)" == "expected # and 8 hexadecimal digits")
  }
}
