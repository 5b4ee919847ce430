import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashTests {
  @Test func `characters 3 to 6 encode the average color`() throws {
    #expect(
      try BlurHash(parsing: "00TI?p").averageColor == SRGBColor(red: 255, green: 0, blue: 255))
    #expect(try BlurHash(parsing: "00TSUA").averageColor == .white)
    #expect(try BlurHash(parsing: "000000").averageColor == .black)
  }

  @Test func `the second character encodes the maximum in 166ths`() throws {
    #expect(try BlurHash(parsing: "000000").maximum == 1 / 166)
    #expect(try BlurHash(parsing: "0~0000").maximum == 0.5)
  }

  @Test func `a wrong number of terms traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = BlurHash(
        components: BlurHash.ComponentCount(x: 2, y: 2), quantizedMaximum: 0, dc: 0, ac: [1, 2])
    }
  }
}

@Suite struct BlurHashStringTests {
  private static func texts() throws -> [String] {
    try Fixtures.table("golden.tsv").compactMap { $0["blurhash"] }
      + Fixtures.table("reference-blurhash.tsv").compactMap { $0["blurhash"] }
      + Fixtures.table("reference-decode/hashes.tsv").compactMap { $0["hash"] }
  }

  private static func error(_ text: String) -> BlurHash.ParsingError? {
    do {
      _ = try BlurHash(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `all reference hashes survive a round trip through text`() throws {
    let texts = try Self.texts()
    #expect(texts.count > 1000)
    for text in texts { #expect(try BlurHash(parsing: text).description == text) }
  }

  @Test(arguments: 1...9, 1...9)
  func `a hash with x by y components has 4 + 2xy characters`(x: Int, y: Int) throws {
    let components = BlurHash.ComponentCount(x: x, y: y)
    let ac = (1..<x * y).map { $0 * 84 }
    let hash = BlurHash(components: components, quantizedMaximum: 7, dc: 12_345_678, ac: Array(ac))
    #expect(hash.description.utf8.count == 4 + 2 * x * y)
    #expect(try BlurHash(parsing: hash.description) == hash)
    #expect("\(hash)" == hash.description)
  }

  @Test(arguments: ["", "0", "00000", "00é0"])
  func `fewer than six characters are rejected`(text: String) {
    #expect(Self.error(text) == .tooShort(length: text.utf8.count))
  }

  @Test(arguments: [
    ("LEHV6nWB2yk8pyo0adR*.7kCMdn", 28), ("LEHV6nWB2yk8pyo0adR*.7kCMdnjj", 28),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdné", 28), ("0000000", 6),
    ("100000", 8), ("|00000", 166), ("000000\n", 6), ("000000\0", 6),
    // The truncated examples in MSC2448.
    ("JadR*.7kCMdnj", 16), ("LKO2?U%2Tw=w]~RB", 28), ("oyp8ky2BWn7VHEL", 76),
  ])
  func `the first character determines the length`(text: String, expected: Int) {
    #expect(Self.error(text) == .wrongLength(expected: expected, actual: text.utf8.count))
  }

  @Test(arguments: [
    ("é00000", 0), ("é0000", 0), ("👍00", 0), (" 00000", 0), ("0\"0000", 1), ("0é000", 1),
    ("000é0", 3), ("0000'0", 4), ("00000\u{0}", 5), ("1000000\u{7F}", 7),
    ("LEHV6nWB2yk8👍adR*.7kCMdnj", 12), ("LEHV6nWB2yk8/yo0adR*.7kCMdnj", 12),
    ("LEHV6nWB2yk8pyo0adR*.7kCMdé", 26),
  ])
  func `an invalid character is reported with its offset`(text: String, offset: Int) {
    #expect(Self.error(text) == .invalidCharacter(offset: offset))
  }

  @Test(arguments: [("}00000", 81), ("~00000", 82)])
  func `a size flag above 9 by 9 is rejected`(text: String, flag: Int) {
    #expect(Self.error(text) == .sizeFlagOutOfRange(flag))
  }

  @Test(arguments: [("00TSUA", nil), ("00TSUB", 16_777_216), ("00~~~~", 47_458_320)])
  func `an average color above 24 bits is rejected`(text: String, value: Int?) {
    #expect(Self.error(text) == value.map(BlurHash.ParsingError.dcOutOfRange))
  }

  @Test(arguments: [
    ("1~0000~q", nil), ("1~0000~r", BlurHash.ParsingError.acOutOfRange(term: 1, value: 6859)),
    ("2~000000~~", .acOutOfRange(term: 2, value: 6888)),
  ])
  func `an AC term out of range is rejected`(text: String, error: BlurHash.ParsingError?) {
    #expect(Self.error(text) == error)
  }
}

@Suite struct BlurHashErrorTests {
  @Test(
    arguments: [
      (.tooShort(length: 5), "expected at least 6 characters, found 5"),
      (
        .wrongLength(expected: 28, actual: 16),
        "expected 28 characters, found 16"
      ),
      (.invalidCharacter(offset: 0), "character 1 is not a base-83 digit"),
      (.sizeFlagOutOfRange(82), "invalid size digit 82 (at most 80)"),
      (.dcOutOfRange(16_777_216), "invalid average color 16777216 (at most 16777215)"),
      (.acOutOfRange(term: 3, value: 6859), "invalid value 6859 for term 3 (at most 6858)"),
    ] as [(BlurHash.ParsingError, String)])
  func `a parsing error is described on one line`(error: BlurHash.ParsingError, text: String) {
    #expect("\(error)" == text)
  }
}

@Suite struct ComponentCountTests {
  @Test(arguments: [
    ((640, 480), (4, 3)), ((480, 640), (3, 4)), ((512, 512), (4, 4)), ((1, 1), (4, 4)),
    ((92, 1200), (3, 4)), ((6400, 92), (4, 3)), ((1, 65_000), (3, 4)), ((65_000, 1), (4, 3)),
    ((513, 512), (4, 3)), ((512, 513), (3, 4)),
  ])
  func `automatic component counts follow the aspect ratio`(size: (Int, Int), terms: (Int, Int)) {
    #expect(
      BlurHash.Components.auto.count(width: size.0, height: size.1)
        == BlurHash.ComponentCount(x: terms.0, y: terms.1))
  }

  @Test(arguments: 1...9, 1...9)
  func `component counts survive a round trip`(x: Int, y: Int) {
    let components = BlurHash.ComponentCount(x: x, y: y)
    #expect("\(components)" == "\(x)x\(y)")
    #expect(BlurHash.ComponentCount("\(x)x\(y)") == components)
    #expect(BlurHash.Components("\(x)x\(y)") == .exactly(x: x, y: y))
    #expect(components.count == x * y)
  }

  @Test(arguments: [
    "", "x", "4", "4x", "x3", "0x3", "4x0", "10x3", "4x10", "4X3", "4*3", "4×3", "4x3 ", " 4x3",
    "-4x3", "4x+3", "4xx3", "44", "443", "٤x٣", "auto",
  ])
  func `text that is not a component count is rejected`(text: String) {
    #expect(BlurHash.ComponentCount(text) == nil)
    #expect((BlurHash.Components(text) == .auto) == (text == "auto"))
  }

  @Test func `component counts out of range trap`() async {
    await #expect(processExitsWith: .failure) { _ = BlurHash.ComponentCount(x: 0, y: 3) }
    await #expect(processExitsWith: .failure) { _ = BlurHash.ComponentCount(x: 10, y: 3) }
    await #expect(processExitsWith: .failure) { _ = BlurHash.ComponentCount(x: 4, y: 0) }
    await #expect(processExitsWith: .failure) { _ = BlurHash.ComponentCount(x: 4, y: 10) }
  }
}

@Suite struct Base83Tests {
  private static func value(_ text: String) throws -> Int {
    let bytes = Array(text.utf8)
    return try Base83.value(of: bytes, in: 0..<bytes.count)
  }

  /// Source: woltapp/blurhash, `Algorithm.md`.
  @Test(arguments: [
    ("0", 0), ("9", 9), ("A", 10), ("Z", 35), ("a", 36), ("z", 61), ("#", 62), ("$", 63),
    ("~", 82), ("10", 83), ("~~", 6888), ("00~", 82), ("TSUA", 16_777_215),
  ])
  func `the most significant base-83 digit comes first`(text: String, value: Int) throws {
    #expect(try Self.value(text) == value)
    var written: [UInt8] = []
    Base83.append(value, digitCount: text.utf8.count, to: &written)
    #expect(written == Array(text.utf8))
  }

  @Test func `an invalid byte is reported with its offset`() {
    for byte in UInt8.min...UInt8.max where !Base83.alphabet.contains(byte) {
      let text: [UInt8] = [65, 66, byte, 67]
      #expect(throws: BlurHash.ParsingError.invalidCharacter(offset: 2)) {
        try Base83.value(of: text, in: 1..<4)
      }
    }
  }
}
