import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPErrorTests {
  @Test func `an error says in one line what is wrong`() {
    #expect(
      "\(PackedLQIPError.wrongLength(4))" == "a packed LQIP has 9 characters, this has 4")
    #expect(
      "\(PackedLQIPError.notHexadecimal)" == "a packed LQIP is # and 8 hexadecimal digits")
  }
}
