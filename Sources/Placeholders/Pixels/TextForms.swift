/// A value with one text form, which ``init(parsing:)`` parses and `description` returns.
///
/// The text form is also the `Codable` form, except for ``CSSInteger``, which is coded as an integer.
public protocol PlaceholderText: LosslessStringConvertible, Sendable, Hashable {
  /// The reason why a string is invalid.
  associatedtype ParsingError: Error, CustomStringConvertible

  /// Parses a string strictly.
  ///
  /// - Parameter text: A string that `description` could return; each type documents further accepted forms.
  /// - Throws: `ParsingError` for any other string.
  init(parsing text: String) throws(ParsingError)
}

extension PlaceholderText {
  /// Parses a string; nil if it is invalid.
  ///
  /// ``init(parsing:)`` reports the reason.
  public init?(_ description: String) {
    do { try self.init(parsing: description) } catch { return nil }
  }
}

/// A placeholder that can be rendered.
package protocol DrawnPlaceholder: PlaceholderText {
  /// The ratio of the sides of the preview; 1:1 if the placeholder does not contain it.
  var previewRatio: (x: Int, y: Int) { get }

  func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap
}

extension DrawnPlaceholder {
  package var previewRatio: (x: Int, y: Int) { (1, 1) }
}

#if !hasFeature(Embedded)
extension PlaceholderText where Self: Codable {
  /// Decodes the text form.
  ///
  /// - Throws: A `DecodingError` if the value is not a string, or if the string is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(parsing: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Encodes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension BlurHash: Codable {}
extension LQIP: Codable {}
extension LQIP.PackedColors: Codable {}
extension SRGBColor: Codable {}
extension ThumbHash: Codable {}
extension TinyJPEG: Codable {}
#endif

/// Base64 with padding, RFC 4648 section 4.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let padding = UInt8(ascii: "=")

  /// Encodes bytes with padding and without line breaks.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for first in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[first..<min(first + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (24 - 8 * group.count)
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes the output of `encode`; nil for any other input.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let text = Array(text)
    guard text.count.isMultiple(of: 4) else { return nil }
    let paddingCount = text.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for first in stride(from: 0, to: text.count, by: 4) {
      var bits = 0
      for place in first..<first + 4 {
        let isPadding = place >= text.count - paddingCount
        guard let value = isPadding ? 0 : digits.firstIndex(of: text[place]) else { return nil }
        bits = bits << 6 | value
      }
      bytes += [16, 8, 0].map { UInt8(bits >> $0 & 255) }
    }
    // The unused bits of the last digit must be zero.
    guard bytes.suffix(paddingCount).allSatisfy({ $0 == 0 }) else { return nil }
    return bytes.dropLast(paddingCount)
  }
}

/// Returns the values of the digits of a string `#…`; nil without `#`, or if any other character is not hexadecimal.
func hexDigits(of text: String) -> [UInt8]? {
  guard text.utf8.first == UInt8(ascii: "#") else { return nil }
  var digits: [UInt8] = []
  for character in text.utf8.dropFirst() {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(character - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(character - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(character - UInt8(ascii: "A") + 10)
    default: return nil
    }
  }
  return digits
}

/// Returns `#` and a value as `digitCount` lowercase hexadecimal digits, with leading zeros.
func hexString(_ value: UInt32, digitCount: Int) -> String {
  // `String(_:radix:)` and a repetition would take most of the time of a record.
  let digits = (1...digitCount).map {
    hexadecimal[Int(value >> UInt32(4 * (digitCount - $0)) & 15)]
  }
  return String(decoding: [UInt8(ascii: "#")] + digits, as: UTF8.self)
}

private let hexadecimal = Array("0123456789abcdef".utf8)
