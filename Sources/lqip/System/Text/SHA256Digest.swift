import CLqipNettle
import Placeholders

/// A SHA-256 digest.
package struct SHA256Digest: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Creates a digest from its 32 bytes; fails for any other length.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Int(SHA256_DIGEST_SIZE) else { return nil }
    self.bytes = bytes
  }

  package init(of bytes: [UInt8]) {
    let bytes = bytes[...]
    self.init(of: bytes.span)
  }

  package init(of bytes: Span<UInt8>) {
    var context = sha256_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_sha256_init(&context)
    unsafe bytes.withUnsafeBufferPointer {
      unsafe nettle_sha256_update(&context, $0.count, $0.baseAddress)
    }
    unsafe nettle_sha256_digest(&context, digest.count, &digest)
    self.bytes = digest
  }

  /// The digest as 64 lowercase hexadecimal digits.
  package var hex: String {
    unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe nettle_base16_encode_update(text.baseAddress, bytes.count, bytes)
      }
      return 2 * bytes.count
    }
  }

  /// The digest in base64, as used in a content security policy.
  package var base64: String { Base64.encode(bytes) }

  /// Returns whether both digests are equal; the time of the comparison does not depend on their bytes.
  package func isEqualInConstantTime(to other: SHA256Digest) -> Bool {
    unsafe nettle_memeql_sec(bytes, other.bytes, bytes.count) == 1
  }
}
