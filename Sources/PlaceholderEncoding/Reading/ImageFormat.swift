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
    if Self.starts(bytes, with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if Self.starts(bytes, with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: "RIFF"), bytes.starts(with: "WEBP", at: 8) {
      self = .webp
    } else if bytes.starts(with: "GIF87a") || bytes.starts(with: "GIF89a") {
      self = .gif
    } else {
      return nil
    }
  }

  private static func starts(_ bytes: Span<UInt8>, with signature: [UInt8]) -> Bool {
    bytes.count >= signature.count && signature.indices.allSatisfy { bytes[$0] == signature[$0] }
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
}
