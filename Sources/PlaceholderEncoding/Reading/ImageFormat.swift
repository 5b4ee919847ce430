/// A supported image format, detected from the first bytes of a file.
@nonexhaustive
public enum ImageFormat: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// JPEG (`image/jpeg`).
  case jpeg
  /// PNG, including APNG (`image/png`).
  case png
  /// WebP (`image/webp`).
  case webp
  /// GIF (`image/gif`).
  case gif
  /// AVIF (`image/avif`): a HEIF file of AV1 pictures.
  case avif
  /// HEIC (`image/heic`): a HEIF file of HEVC pictures, by its brand.
  case heic
  /// HEIF (`image/heif`): a HEIF file of HEVC pictures with a general brand.
  case heif

  /// Detects a format by its signature; nil if the signature is unknown or incomplete.
  ///
  /// ```swift
  /// if let format = ImageFormat(sniffing: bytes.span) { print(format.mimeType) }
  /// ```
  ///
  /// The first known brand of a HEIF file decides here. A decoded image has the format of its pictures: an image with a
  /// general brand may turn out as ``avif``.
  ///
  /// Sources: ITU-T T.81, Annex B (SOI, and the first byte of the marker after it); PNG, section 5.2;
  /// WebP Container Specification; GIF, section 17; ISO/IEC 14496-12, section 4.3, with the brands of AVIF and of
  /// ISO/IEC 23008-12, Annex B.
  ///
  /// - Parameter bytes: The start of a file; 256 bytes are enough, and 12 for most files.
  public init?(sniffing bytes: Span<UInt8>) {
    if bytes.integer(at: 0, size: 3) == 0xFFD8FF {
      self = .jpeg
    } else if bytes.integer(at: 0, size: 4) == 0x8950_4E47,
      bytes.integer(at: 4, size: 4) == 0x0D0A_1A0A
    {
      self = .png
    } else if bytes.text(at: 0) == "RIFF", bytes.text(at: 8) == "WEBP" {
      self = .webp
    } else if ["GIF87a", "GIF89a"].contains(bytes.text(at: 0, size: 6)) {
      self = .gif
    } else if let format = bytes.brands.lazy.compactMap(Self.init(brand:)).first {
      self = format
    } else {
      return nil
    }
  }

  /// The largest number of bytes that ``init(sniffing:)`` examines.
  package static let sniffedByteCount = 256

  /// The media type registered for the format.
  public var mimeType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    case .gif: "image/gif"
    case .avif: "image/avif"
    case .heic: "image/heic"
    case .heif: "image/heif"
    }
  }

  /// Creates a format from its media type; nil for any other text.
  package init?(mimeType: String) {
    guard let format = Self.allCases.first(where: { $0.mimeType == mimeType }) else { return nil }
    self = format
  }

  /// The part of a data URL before the Base64 text.
  ///
  /// Source: RFC 2397.
  package var dataURLPrefix: String { "data:\(mimeType);base64," }

  /// The display name, such as "JPEG".
  public var description: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .gif: "GIF"
    case .avif: "AVIF"
    case .heic: "HEIC"
    case .heif: "HEIF"
    }
  }

  private init?(brand: String) {
    switch brand {
    case "avif", "avis": self = .avif
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": self = .heic
    case "mif1", "mif2", "mif3", "msf1", "miaf", "MiHE", "MiHB": self = .heif
    default: return nil
    }
  }

  /// Whether the file consists of the boxes of ISO/IEC 14496-12.
  package var isHEIF: Bool { [.avif, .heic, .heif].contains(self) }

  /// Recognizes a format that is not read, or a variant, by the start of a file; returns its name, such as "TIFF images".
  package static func foreignName(sniffing bytes: Span<UInt8>) -> String? {
    ForeignFormat.name(sniffing: bytes)
  }

  /// Returns why a file is rejected before it is read, if it has the signature of another format or a variant.
  package static func reasonForRejecting(_ bytes: Span<UInt8>) -> String? {
    foreignName(sniffing: bytes).map { "\($0) are not supported" }
  }
}

extension Span<UInt8> {
  /// The brands in the first box of a file, the major one first; empty if there are none.
  var brands: [String] {
    guard text(at: 4) == "ftyp", let size = integer(at: 0, size: 4) else { return [] }
    let end = Swift.min(count, Int(size), ImageFormat.sniffedByteCount)
    // The version of the major brand precedes the others.
    return ([8] + stride(from: 16, to: end - 3, by: 4)).compactMap { text(at: $0) }
  }

  /// Reads an unsigned integer of up to four bytes; nil if it extends past the end of the span.
  func integer(at offset: Int, size: Int, isBigEndian: Bool = true) -> UInt32? {
    guard offset <= count - size else { return nil }
    var value: UInt32 = 0
    for index in 0..<size {
      value = value << 8 | UInt32(self[offset + (isBigEndian ? index : size - 1 - index)])
    }
    return value
  }

  /// Reads bytes as UTF-8; nil if they extend past the end of the span.
  func text(at offset: Int, size: Int = 4) -> String? {
    guard offset <= count - size else { return nil }
    return String(decoding: (offset..<offset + size).map { self[$0] }, as: UTF8.self)
  }
}
