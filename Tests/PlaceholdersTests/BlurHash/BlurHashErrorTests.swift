import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashErrorTests {
  @Test(
    arguments: [
      (.tooShort(length: 5), "expected at least 6 characters, found 5"),
      (
        .wrongLength(expected: 28, actual: 16),
        "expected 28 characters, found 16"
      ),
      (.invalidCharacter(offset: 0), "character 1 is not a base-83 digit"),
      (.sizeFlagOutOfRange(82), "invalid size digit 82 (maximum 80)"),
      (.dcOutOfRange(16_777_216), "invalid average color 16777216 (maximum 16777215)"),
      (.acOutOfRange(term: 3, value: 6859), "invalid value 6859 for term 3 (maximum 6858)"),
    ] as [(BlurHashError, String)])
  func `an error says in one line what is wrong`(error: BlurHashError, text: String) {
    #expect("\(error)" == text)
  }
}
