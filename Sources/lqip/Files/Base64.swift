internal import CLqipNettle

/// The text form of bytes, as RFC 4648 section 4 defines it.
package enum Base64 {
  /// Encodes bytes with padding and without line breaks.
  package static func encode(_ bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe nettle_base64_encode_raw(text.baseAddress, bytes.count, bytes)
      }
      return count
    }
  }

  /// Decodes what `encode` gives; nil for any other text.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let characters = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: (characters.count + 1) * 6 / 8)
    var count = bytes.count
    var context = unsafe base64_decode_ctx()
    unsafe nettle_base64_decode_init(&context)
    guard
      unsafe nettle_base64_decode_update(
        &context, &count, &bytes, characters.count, characters) == 1,
      unsafe nettle_base64_decode_final(&context) == 1
    else { return nil }
    bytes.removeLast(bytes.count - count)
    // The library passes over line breaks, and over bits that no byte is made of.
    return encode(bytes).utf8.elementsEqual(text) ? bytes : nil
  }
}
