/// A blurred preview in about 25 bytes, with the approximate aspect ratio and the transparency of the image.
///
/// The channels are lightness, two differences of sRGB samples, and alpha. The hash stores the lowest terms of each
/// channel's cosine transform.
///
/// Source: evanw/thumbhash, `js/thumbhash.js`.
public struct ThumbHash: Sendable, Hashable {
  /// The hash: a header of 5 bytes, or 6 with alpha, and half a byte per term.
  public let bytes: [UInt8]

  /// Creates a hash from bytes, which are validated.
  ///
  /// - Parameter bytes: A header, followed by as many terms as it declares.
  /// - Throws: ``ParsingError`` if the header or the length is invalid.
  public init(bytes: [UInt8]) throws(ParsingError) {
    guard bytes.count >= 5 else { throw .tooShort(byteCount: bytes.count) }
    self.init(unchecked: bytes)
    guard 1...(hasAlpha ? 5 : 7) ~= shortSide else { throw .noShape(shortSide) }
    guard bytes.count == byteCount else {
      throw .wrongLength(expected: byteCount, actual: bytes.count)
    }
  }

  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether some pixels of the image are transparent.
  public var hasAlpha: Bool { bytes[2] & 0x80 != 0 }

  /// Whether the width of the image exceeds its height.
  var isLandscape: Bool { bytes[4] & 0x80 != 0 }

  /// The number of terms along the shorter side, which encodes the image's shape.
  private var shortSide: Int { Int(bytes[3] & 7) }

  /// The numbers of horizontal and vertical terms, 1...7, which encode the image's shape.
  private var shape: (x: Int, y: Int) {
    let longSide = hasAlpha ? 5 : 7
    return isLandscape ? (longSide, shortSide) : (shortSide, longSide)
  }

  /// The approximate ratio of the width to the height.
  public var aspectRatio: Double { Double(shape.x) / Double(shape.y) }

  /// The terms of the lightness channel.
  var lightnessTerms: TriangularTerms { TriangularTerms(x: max(3, shape.x), y: max(3, shape.y)) }

  /// The length of a hash with this header, in bytes.
  private var byteCount: Int {
    let colorTerms = lightnessTerms.count + 2 * TriangularTerms.color.count
    return hasAlpha
      ? 6 + (colorTerms + TriangularTerms.alpha.count + 1) / 2 : 5 + (colorTerms + 1) / 2
  }
}

extension ThumbHash: PlaceholderText {
  /// The reason why bytes or a string are not a ThumbHash.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The string is not base64 with padding (RFC 4648, section 4).
    case notBase64
    /// The header is incomplete, because there are fewer than 5 bytes.
    case tooShort(byteCount: Int)
    /// The number of bytes does not match the header.
    case wrongLength(expected: Int, actual: Int)
    /// The header declares no terms along the shorter side, or more than along the longer one.
    case noShape(Int)

    /// A one-line message.
    public var description: String {
      switch self {
      case .notBase64: "expected base64 with padding"
      case .tooShort(let byteCount): "expected at least 5 bytes, found \(byteCount)"
      case .wrongLength(let expected, let actual):
        "expected \(expected) bytes, found \(actual)"
      case .noShape(let shortSide): "invalid number of terms along the shorter side: \(shortSide)"
      }
    }
  }

  /// Parses base64 with padding (RFC 4648, section 4).
  ///
  /// - Throws: ``ParsingError`` if the string is not base64, or if its bytes are invalid.
  public init(parsing text: String) throws(ParsingError) {
    guard let bytes = Base64.decode(text.utf8) else { throw .notBase64 }
    try self.init(bytes: bytes)
  }

  /// The hash in base64, with padding.
  public var description: String { Base64.encode(bytes) }
}
