import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashStringTests {
  private static func texts() throws -> [String] {
    try Fixtures.table("golden.tsv").compactMap { $0["blurhash"] }
      + Fixtures.table("reference-blurhash.tsv").compactMap { $0["blurhash"] }
      + Fixtures.table("reference-decode/hashes.tsv").compactMap { $0["hash"] }
  }

  private static func error(_ text: String) -> BlurHashError? {
    do {
      _ = try BlurHash(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `every hash of the reference survives reading and writing`() throws {
    let texts = try Self.texts()
    #expect(texts.count > 1000)
    for text in texts { #expect(try BlurHash(text).string == text) }
  }

  @Test(arguments: 1...9, 1...9)
  func `a hash has 4 + 2xy characters`(x: Int, y: Int) throws {
    let components = ComponentCount(x: x, y: y)
    let ac = (1..<x * y).map { $0 * 84 }
    let hash = BlurHash(components: components, quantizedMaximum: 7, dc: 12_345_678, ac: Array(ac))
    #expect(hash.string.utf8.count == 4 + 2 * x * y)
    #expect(try BlurHash(hash.string) == hash)
    #expect("\(hash)" == hash.string)
  }

  /// Source: MSC2448, whose examples are cut off.
  @Test(arguments: [
    ("JadR*.7kCMdnj", BlurHashError.wrongLength(expected: 16, actual: 13)),
    ("LKO2?U%2Tw=w]~RB", .wrongLength(expected: 28, actual: 16)),
    ("oyp8ky2BWn7VHEL", .wrongLength(expected: 76, actual: 15)),
  ])
  func `examples that are no hashes are refused`(text: String, error: BlurHashError) {
    #expect(Self.error(text) == error)
  }

  @Test(arguments: ["", "0", "00000", "00é0"])
  func `less than six characters are too short`(text: String) {
    #expect(Self.error(text) == .tooShort(length: text.utf8.count))
  }

  @Test(arguments: [
    ("LEHV6nWB2yk8pyo0adR*.7kCMdn", 28), ("LEHV6nWB2yk8pyo0adR*.7kCMdnjj", 28),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdné", 28), ("0000000", 6),
    ("100000", 8), ("|00000", 166), ("000000\n", 6), ("000000\0", 6),
  ])
  func `the first character promises the length`(text: String, expected: Int) {
    #expect(Self.error(text) == .wrongLength(expected: expected, actual: text.utf8.count))
  }

  @Test(arguments: [
    ("é00000", 0), ("é0000", 0), ("👍00", 0), (" 00000", 0), ("0\"0000", 1), ("0é000", 1),
    ("000é0", 3), ("0000'0", 4), ("00000\u{0}", 5), ("1000000\u{7F}", 7),
    ("LEHV6nWB2yk8👍adR*.7kCMdnj", 12), ("LEHV6nWB2yk8/yo0adR*.7kCMdnj", 12),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdé", 26),
  ])
  func `a character that is no digit is refused where it stands`(text: String, offset: Int) {
    #expect(Self.error(text) == .invalidCharacter(offset: offset))
  }

  @Test(arguments: [("}00000", 81), ("~00000", 82)])
  func `a size beyond 9 by 9 is refused`(text: String, flag: Int) {
    #expect(Self.error(text) == .sizeFlagOutOfRange(flag))
  }

  @Test(arguments: [("00TSUA", nil), ("00TSUB", 16_777_216), ("00~~~~", 47_458_320)])
  func `an average of more than 24 bits is refused`(text: String, value: Int?) {
    #expect(Self.error(text) == value.map(BlurHashError.dcOutOfRange))
  }

  @Test(arguments: [
    ("1~0000~q", nil), ("1~0000~r", BlurHashError.acOutOfRange(term: 1, value: 6859)),
    ("2~000000~~", .acOutOfRange(term: 2, value: 6888)),
  ])
  func `a term beyond 19 by 19 by 19 is refused`(text: String, error: BlurHashError?) {
    #expect(Self.error(text) == error)
  }

  @Test func `any text is read or refused, and what is read is written`() {
    var random = LCG(seed: 83)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...40, using: &random)
      let text = String(
        decoding: (0..<count).map { _ in Base83.alphabet.randomElement(using: &random) ?? 0 },
        as: UTF8.self)
      if let hash = try? BlurHash(text) { #expect(hash.string == text) }
    }
  }
}
