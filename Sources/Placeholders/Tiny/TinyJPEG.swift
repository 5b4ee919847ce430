/// A JPEG picture of 8×8 pixels in at most 24 bytes, stored without its constant header.
///
/// A value holds only the entropy-coded scan. ``header``, the value and ``endOfImage`` form a complete JPEG file, which
/// a browser renders without a script:
///
///     "data:image/jpeg;base64," + header + value + "/9k="
///
/// The picture is opaque, and stretched to the size of the image.
public struct TinyJPEG: Sendable, Hashable {
  /// The byte limits that the encoder accepts; padding does not count.
  ///
  /// No value has more bytes than the upper bound.
  public static let byteCounts: ClosedRange<Int> = 16...24

  /// The width and height of the picture in pixels.
  public static let side: Int = 8

  /// The bytes of a JPEG file before the scan; their count is a multiple of three.
  public static var headerBytes: [UInt8] { TinyTables.header }

  /// The header in base64, which needs no padding.
  public static var header: String { Base64.encode(headerBytes) }

  /// The base64 text of the "end of image" marker, which follows each value.
  public static let endOfImage: String = "/9k="

  /// The scan, padded with 0xFF to a multiple of three bytes.
  public let bytes: [UInt8]

  /// The quantized coefficients of the scan.
  let coefficients: TinyCoefficients

  /// Creates a value from its bytes, which are validated.
  ///
  /// - Parameter bytes: The scan, with its padding.
  /// - Throws: ``ParsingError`` if the bytes are not the padded scan of a tiny JPEG.
  public init(bytes: [UInt8]) throws(ParsingError) {
    guard bytes.count <= Self.byteCounts.upperBound else {
      throw .tooLong(byteCount: bytes.count)
    }
    coefficients = try TinyScan.coefficients(of: bytes)
    guard coefficients.isInRange else { throw .outOfRange }
    self.bytes = bytes
  }

  /// Creates a value from coefficients that are in range and fit in the maximum number of bytes.
  init(_ coefficients: TinyCoefficients) {
    let scan = TinyScan.bytes(of: coefficients)
    bytes = scan + [UInt8](repeating: 0xff, count: (3 - scan.count % 3) % 3)
    self.coefficients = coefficients
  }

  /// The bytes of the complete JPEG file.
  public var file: [UInt8] { Self.headerBytes + bytes + [0xff, 0xd9] }

  /// The data URL of the picture.
  public var dataURL: String {
    "data:image/jpeg;base64," + Self.header + description + Self.endOfImage
  }
}

extension TinyJPEG: PlaceholderText {
  /// The reason why bytes or text are not a tiny JPEG value.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not base64 with padding (RFC 4648, section 4).
    case notBase64
    /// The value has more bytes than the upper bound of ``TinyJPEG/byteCounts``.
    case tooLong(byteCount: Int)
    /// The scan ends before its last coefficient, or contains a marker.
    case truncated
    /// The scan contains a code that the header does not define.
    case unknownCode
    /// A coefficient has a position above 63 in its block.
    case tooManyCoefficients
    /// The scan is not padded with ones to a multiple of three bytes.
    case wrongPadding
    /// The decoded samples exceed the range in which all decoders agree.
    case outOfRange

    /// A one-line message.
    public var description: String {
      switch self {
      case .notBase64: "expected base64 with padding"
      case .tooLong(let byteCount):
        "expected at most \(TinyJPEG.byteCounts.upperBound) bytes, found \(byteCount)"
      case .truncated: "the scan is truncated"
      case .unknownCode: "the scan contains an undefined code"
      case .tooManyCoefficients: "a block contains more than 64 coefficients"
      case .wrongPadding: "expected a scan padded with ones to a multiple of 3 bytes"
      case .outOfRange: "the decoded samples exceed the range in which all decoders agree"
      }
    }
  }

  /// Parses base64 strictly.
  ///
  /// - Parameter text: The value in base64, RFC 4648 section 4; at most 32 characters.
  /// - Throws: ``ParsingError`` if the text is not base64, or its bytes are not the padded scan of a tiny JPEG.
  public init(parsing text: String) throws(ParsingError) {
    guard let bytes = Base64.decode(text.utf8) else { throw .notBase64 }
    try self.init(bytes: bytes)
  }

  /// The value in base64: at most 32 characters, never padded.
  public var description: String { Base64.encode(bytes) }
}
