import Testing

@testable import lqip

@Suite struct SHA256Tests {
  /// Source: FIPS 180-2, appendix B; the first and the last are Python's.
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 10_000, "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"),
  ])
  func `digests are the standard's`(text: String, count: Int, digest: String) {
    let bytes = Array(String(repeating: text, count: count).utf8)
    let digits = SHA256.digest(of: bytes).map { String(Int($0) + 256, radix: 16).dropFirst() }
    #expect(digits.joined() == digest)
  }
}
