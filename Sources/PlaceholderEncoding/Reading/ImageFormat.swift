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

  /// Detects a format by its signature; nil if the signature is unknown or incomplete.
  ///
  /// ```swift
  /// if let format = ImageFormat(sniffing: bytes.span) { print(format.mimeType) }
  /// ```
  ///
  /// Sources: ITU-T T.81, Annex B (SOI, and the first byte of the marker after it); PNG, section 5.2;
  /// WebP Container Specification; GIF, section 17.
  ///
  /// - Parameter bytes: The start of a file; 12 bytes are enough.
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
    } else {
      return nil
    }
  }

  /// The media type registered for the format.
  public var mimeType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    case .gif: "image/gif"
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
    }
  }

  private static let heicBrands = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1",
  ]

  /// Returns why a file is rejected whose signature is unknown; the reason names the format if it is recognized.
  ///
  /// Sources: ISO/IEC 14496-12, section 4.3, with the brands of AVIF and of ISO/IEC 23008-12, Annex B;
  /// ISO/IEC 18181-2.
  static func reasonForRejecting(_ bytes: Span<UInt8>) -> String {
    let name: String
    switch (bytes.text(at: 4), bytes.text(at: 8)) {
    case ("JXL ", _): name = "JPEG XL"
    case ("ftyp", "avif"), ("ftyp", "avis"): name = "AVIF"
    case ("ftyp", let brand?) where heicBrands.contains(brand): name = "HEIC"
    case _ where bytes.integer(at: 0, size: 2) == 0xFF0A: name = "JPEG XL"
    default: return "not a JPEG, PNG, WebP or GIF image"
    }
    return "\(name) images are not supported"
  }
}

extension Span<UInt8> {
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
