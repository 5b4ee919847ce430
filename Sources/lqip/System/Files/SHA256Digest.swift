import CLqipNettle
import Placeholders

/// The SHA-256 digest of bytes.
package struct SHA256Digest: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Takes the 32 bytes of a digest; nil for any other number.
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

  /// The digest as 64 lowercase digits.
  package var hex: String {
    unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe nettle_base16_encode_update(text.baseAddress, bytes.count, bytes)
      }
      return 2 * bytes.count
    }
  }

  /// The digest as Base64, which is how a content security policy names a style or script.
  package var base64: String { Base64.encode(bytes) }

  /// Compares in a time that does not depend on how much is alike.
  package func isEqualInConstantTime(to other: SHA256Digest) -> Bool {
    unsafe nettle_memeql_sec(bytes, other.bytes, bytes.count) == 1
  }
}
