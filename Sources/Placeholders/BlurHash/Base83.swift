/// The digits of a BlurHash.
///
/// Source: woltapp/blurhash, `Algorithm.md`.
enum Base83 {
  static let alphabet: [UInt8] = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  private static let values: [Int?] = (0...UInt8.max).map { alphabet.firstIndex(of: $0) }

  /// Reads a number of as many digits as the range has, the highest first.
  static func value(
    of text: Span<UInt8>, in range: Range<Int>
  ) throws(BlurHashError) -> Int {
    var result = 0
    for index in range {
      guard let digit = values[Int(text[index])] else {
        throw .invalidCharacter(offset: index)
      }
      result = result * 83 + digit
    }
    return result
  }

  /// Writes a number with a fixed count of digits, the highest first.
  static func append(_ value: Int, digitCount: Int, to text: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digitCount { divisor *= 83 }
    while divisor > 0 {
      text.append(alphabet[value / divisor % 83])
      divisor /= 83
    }
  }
}
