import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct SHA256DigestTests {
  /// The examples that NIST gives for FIPS 180, and lengths around a block by Python's hashlib.
  private static let vectors = [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    ("a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    ("a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    ("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ("a", 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test(arguments: vectors)
  func `bytes and a file of them have the published digest`(
    text: String, count: Int, expected: String
  ) throws {
    let bytes = Array(String(repeating: text, count: count).utf8)
    #expect(SHA256Digest(of: bytes).hex == expected)
    let directory = try TemporaryDirectory()
    let file = try #require(FileHandle(forReadingAtPath: try directory.write("f", bytes)))
    try file.seekToEnd()
    #expect(try SHA256Digest(ofFile: file.fileDescriptor).hex == expected)
    #expect(try file.offset() == UInt64(bytes.count))
  }

  @Test func `a file has the same digest wherever a read of it ends`() throws {
    let directory = try TemporaryDirectory()
    for count in [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 3 << 16] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) }
      let file = try FileDescriptor(opening: FilePath(directory.write("f", bytes)), O_RDONLY)
      #expect(try SHA256Digest(ofFile: file.number) == SHA256Digest(of: bytes))
    }
  }

  @Test func `what cannot be read has the system's reason`() throws {
    let directory = try FileDescriptor(opening: FilePath("/"), O_RDONLY)
    #expect(throws: SystemError.isDirectory) { try SHA256Digest(ofFile: directory.number) }
  }
}
