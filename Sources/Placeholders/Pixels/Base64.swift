/// The text form of bytes, as RFC 4648 section 4 defines it.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte as a digit; 64 for none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  private static let padding = UInt8(ascii: "=")

  /// Encodes bytes with padding and without line breaks.
  package static func encode(_ bytes: [UInt8]) -> String {
    let text = unsafe [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) {
      text, count in
      unsafe digits.withUnsafeBufferPointer { digits in
        for first in stride(from: 0, to: bytes.count, by: 3) {
          let (second, third) = (first + 1, first + 2)
          let bits =
            Int(bytes[first]) << 16 | (second < bytes.count ? Int(bytes[second]) << 8 : 0)
            | (third < bytes.count ? Int(bytes[third]) : 0)
          unsafe text[count] = digits[bits >> 18]
          unsafe text[count + 1] = digits[bits >> 12 & 63]
          unsafe text[count + 2] = second < bytes.count ? digits[bits >> 6 & 63] : padding
          unsafe text[count + 3] = third < bytes.count ? digits[bits & 63] : padding
          count += 4
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes what `encode` gives; nil for any other text.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let text = Array(text)
    guard text.count.isMultiple(of: 4) else { return nil }
    let paddingCount = text.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for first in stride(from: 0, to: text.count, by: 4) {
      var bits = 0
      for place in first..<first + 4 {
        let value = place < text.count - paddingCount ? values[Int(text[place])] : 0
        guard value < 64 else { return nil }
        bits = bits << 6 | Int(value)
      }
      bytes += [16, 8, 0].map { UInt8(bits >> $0 & 255) }
    }
    // Bits that no byte is made of are zeros.
    guard bytes.suffix(paddingCount).allSatisfy({ $0 == 0 }) else { return nil }
    return bytes.dropLast(paddingCount)
  }
}
