import Foundation
import Testing

@testable import LqipSystem

@Suite struct ByteCountTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"),
    (20_971_521, "20 MiB"), (5 << 29, "2.5 GiB"), (3 << 40, "3 TiB"),
  ])
  func `a byte count is formatted in its largest unit`(count: Int, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test(arguments: [
    (21 << 20, 20 << 20, "21 MiB, above the limit of 20 MiB"),
    (73, 1, "73 bytes, above the limit of 1 byte"),
    ((20 << 20) + 1, 20 << 20, "20971521 bytes, above the limit of 20 MiB"),
  ])
  func `a byte count that would round to the limit it exceeds is printed in bytes`(
    count: Int, limit: Int, text: String
  ) {
    #expect(ByteCount.text(count, above: limit) == text)
  }
}

@Suite struct TimestampTests {
  private func text(_ seconds: Int, _ nanoseconds: Int = 0) -> String {
    Timestamp(timespec(tv_sec: seconds, tv_nsec: nanoseconds)).text
  }

  @Test(arguments: [
    (0, 0, "1970-01-01T00:00:00.000000000Z"), (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
    (951_827_696, 7, "2000-02-29T12:34:56.000000007Z"),
    (253_402_300_799, 120_000_000, "9999-12-31T23:59:59.120000000Z"),
  ])
  func `a timestamp is formatted as in RFC 3339`(seconds: Int, nanoseconds: Int, expected: String) {
    #expect(text(seconds, nanoseconds) == expected)
  }

  @Test func `timestamps of all centuries match Foundation's calendar`() throws {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
    // Starts on the first day of the Gregorian calendar. The step covers every day of the year.
    for seconds in stride(from: -12_219_292_800, through: 253_402_300_799, by: 9_000_017) {
      let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(format)
      try #require(text(seconds) == expected.dropLast() + ".000000000Z")
    }
  }
}

@Suite struct SHA256DigestTests {
  /// NIST's examples for FIPS 180.
  private static let vectors = [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test(arguments: vectors)
  func `digests match published values`(text: String, count: Int, expected: String) {
    let bytes = Array(String(repeating: text, count: count).utf8)
    #expect(SHA256Digest(of: bytes).hex == expected)
  }

  @Test func `only 32 bytes form a digest`() {
    let digest = SHA256Digest(of: [1, 2, 3])
    #expect(SHA256Digest(bytes: digest.bytes) == digest)
    #expect(SHA256Digest(bytes: Array(digest.bytes.dropLast())) == nil)
    #expect(SHA256Digest(bytes: digest.bytes + [0]) == nil)
  }
}

@Suite struct TextSearchTests {
  @Test(
    arguments: ["", "a", "ab", "aab", "abab", "xaabay", "äabä", "aaaa"], ["a", "ab", "aab", "ä"])
  func `splitting, replacing and searching agree with Foundation`(text: String, part: String) {
    #expect(text.parts(separatedBy: part) == text.components(separatedBy: part))
    let replaced: String = text.replacing(part, with: "<>")
    #expect(replaced == text.replacingOccurrences(of: part, with: "<>"))
    #expect(text.includes(part) == (text.range(of: part) != nil))
  }

  @Test func `a range found in a slice has the indices of the slice`() {
    let bytes = Array("..abc".utf8)[1...]
    #expect(bytes.firstRange(of: Array("bc".utf8)) == 3..<5)
    #expect(bytes.firstRange(of: Array("bcd".utf8)) == nil)
    #expect(Array("a".utf8).firstRange(of: Array("aa".utf8)) == nil)
  }
}
