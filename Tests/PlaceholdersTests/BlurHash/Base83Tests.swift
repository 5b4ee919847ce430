import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct Base83Tests {
  private static func value(_ text: String) throws -> Int {
    let bytes = Array(text.utf8)
    return try Base83.value(of: bytes.span, in: 0..<bytes.count)
  }

  @Test func `there are 83 digits, each once, all ASCII`() {
    #expect(Base83.alphabet.count == 83)
    #expect(Set(Base83.alphabet).count == 83)
    #expect(Base83.alphabet.allSatisfy { $0 > 32 && $0 < 127 })
  }

  /// Source: woltapp/blurhash, `Algorithm.md`.
  @Test(arguments: [
    ("0", 0), ("9", 9), ("A", 10), ("Z", 35), ("a", 36), ("z", 61), ("#", 62), ("$", 63),
    ("~", 82), ("10", 83), ("~~", 6888), ("00~", 82), ("TSUA", 16_777_215),
  ])
  func `a number has its digits, the highest first`(text: String, value: Int) throws {
    #expect(try Self.value(text) == value)
    var written: [UInt8] = []
    Base83.append(value, digitCount: text.utf8.count, to: &written)
    #expect(written == Array(text.utf8))
  }

  @Test func `every number of two digits survives writing and reading`() throws {
    for value in 0..<83 * 83 {
      var text: [UInt8] = [33]
      Base83.append(value, digitCount: 2, to: &text)
      #expect(text.count == 3)
      #expect(try Base83.value(of: text.span, in: 1..<3) == value)
    }
  }

  @Test func `any other byte is refused where it stands`() {
    for byte in UInt8.min...UInt8.max where !Base83.alphabet.contains(byte) {
      let text: [UInt8] = [65, 66, byte, 67]
      #expect(throws: BlurHashError.invalidCharacter(offset: 2)) {
        try Base83.value(of: text.span, in: 1..<4)
      }
    }
  }
}
