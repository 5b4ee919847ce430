/// A JPEG picture of 16×8 or 8×16 pixels in at most 24 bytes, stored without its constant header.
///
/// A value holds only the entropy-coded scan. The header for its shape, the value and ``endOfImage`` form a complete
/// JPEG file, which a browser renders without a script:
///
///     "data:image/jpeg;base64," + header + value + "/9k="
///
/// The picture is opaque, and stretched to the size of the image. A value does not contain its shape, which follows
/// from the image's width and height.
public struct TinyJPEG: Sendable, Hashable {
  /// The byte limits that the encoder accepts; padding does not count.
  ///
  /// No value has more bytes than the upper bound.
  public static let byteCounts: ClosedRange<Int> = 16...24

  /// The base64 text of the "end of image" marker, which follows each value.
  public static let endOfImage: String = "/9k="

  /// The scan, padded with 0xFF to a multiple of three bytes.
  public let bytes: [UInt8]

  /// The shape of the picture.
  public let shape: Shape

  /// The quantized coefficients of the scan.
  let coefficients: TinyCoefficients

  /// Creates a value from its bytes, which are validated.
  ///
  /// - Parameters:
  ///   - bytes: The scan, with its padding.
  ///   - shape: The shape of the picture.
  /// - Throws: ``ParsingError`` if the bytes are not the padded scan of a tiny JPEG.
  public init(bytes: [UInt8], shape: Shape) throws(ParsingError) {
    guard bytes.count <= Self.byteCounts.upperBound else {
      throw .tooLong(byteCount: bytes.count)
    }
    coefficients = try TinyScan.coefficients(of: bytes)
    guard coefficients.isInRange(shape) else { throw .outOfRange }
    self.bytes = bytes
    self.shape = shape
  }

  /// Parses base64 strictly.
  ///
  /// - Parameters:
  ///   - text: The value in base64, RFC 4648 section 4; at most 32 characters.
  ///   - shape: The shape of the picture.
  /// - Throws: ``ParsingError`` if the text is not base64, or its bytes are not the padded scan of a tiny JPEG.
  public init(parsing text: String, shape: Shape) throws(ParsingError) {
    guard let bytes = Base64.decode(text.utf8) else { throw .notBase64 }
    try self.init(bytes: bytes, shape: shape)
  }

  /// Creates a value from coefficients that are in range and fit in the maximum number of bytes.
  init(_ coefficients: TinyCoefficients, shape: Shape) {
    bytes = TinyScan.paddedBytes(of: coefficients)
    self.coefficients = coefficients
    self.shape = shape
  }

  /// The bytes of the complete JPEG file.
  public var file: [UInt8] { shape.headerBytes + bytes + [0xff, 0xd9] }

  /// The data URL of the picture.
  public var dataURL: String {
    "data:image/jpeg;base64," + shape.header + description + Self.endOfImage
  }
}

extension TinyJPEG {
  /// The shape of a picture; each shape has its own header.
  public enum Shape: Sendable, Hashable, CaseIterable {
    /// 16×8 pixels, for images that are at least as wide as tall.
    case landscape
    /// 8×16 pixels, for images that are taller than wide.
    case portrait

    /// Chooses the shape for an upright image.
    ///
    /// - Parameters:
    ///   - width: The width of the image.
    ///   - height: The height of the image.
    public init(width: Int, height: Int) {
      self = height > width ? .portrait : .landscape
    }

    /// The width of the picture in pixels.
    public var width: Int { self == .landscape ? 16 : 8 }

    /// The height of the picture in pixels.
    public var height: Int { self == .landscape ? 8 : 16 }

    /// The header in base64, which needs no padding.
    public var header: String { Base64.encode(headerBytes) }

    /// The bytes of a JPEG file before the scan; their count is a multiple of three.
    public var headerBytes: [UInt8] { TinyTables.header(self) }
  }
}

extension TinyJPEG: CustomStringConvertible {
  /// The value in base64: at most 32 characters, never padded.
  public var description: String { Base64.encode(bytes) }
}

extension TinyJPEG {
  /// The reason why bytes or text are not a tiny JPEG value.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not base64 with padding (RFC 4648, section 4).
    case notBase64
    /// The value has more bytes than the upper bound of ``TinyJPEG/byteCounts``.
    case tooLong(byteCount: Int)
    /// The scan ends before its last block, or contains a marker.
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
}
