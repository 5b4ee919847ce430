import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashErrorTests {
  @Test(
    arguments: [
      (.tooShort(length: 5), "a BlurHash has at least 6 characters, this has 5"),
      (
        .wrongLength(expected: 28, actual: 16),
        "its first character promises 28 characters, there are 16"
      ),
      (.invalidCharacter(offset: 0), "character 1 is not a base 83 digit"),
      (.sizeFlagOutOfRange(82), "its size digit is 82, above 80"),
      (.dcOutOfRange(16_777_216), "its average color is 16777216, above 16777215"),
      (.acOutOfRange(term: 3, value: 6859), "its term 3 is 6859, above 6858"),
    ] as [(BlurHashError, String)])
  func `an error says in one line what is wrong`(error: BlurHashError, text: String) {
    #expect("\(error)" == text)
  }
}
