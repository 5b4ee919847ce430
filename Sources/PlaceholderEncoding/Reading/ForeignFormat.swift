/// A file format that is recognized, so that errors name it, but not read.
///
/// Sources of the signatures: the specifications of the formats; for camera formats, `magic/Magdir/images` of file(1).
struct ForeignFormat: Sendable {
  /// The name in messages, such as "TIFF images".
  let name: String

  /// The bytes at an offset that identify the format, as text in which each scalar is one byte.
  private let signature: (offset: Int, text: String)

  private init(_ name: String, _ text: String, at offset: Int = 0) {
    self.name = name
    signature = (offset, text)
  }

  /// Variants with the signature of a format that is read.
  private static let variants: [ForeignFormat] = [
    .init("JPEG-LS images", "\u{FF}\u{D8}\u{FF}\u{F7}"),
    .init("PNG images with Apple's CgBI chunk", "CgBI", at: 12),
  ]

  private static let others: [ForeignFormat] = [
    .init("JPEG XL images", "\u{FF}\u{0A}"), .init("JPEG XL images", "JXL ", at: 4),
    .init("JPEG 2000 images", "jP  ", at: 4),
    .init("JPEG 2000 images", "\u{FF}\u{4F}\u{FF}\u{51}"),
    .init("JPEG XR images", "II\u{BC}"),
    .init("TIFF images", "II*\0"), .init("TIFF images", "MM\0*"),
    .init("TIFF images", "II+\0"), .init("TIFF images", "MM\0+"),
    .init("raw photos", "FUJIFILMCCD-RAW"), .init("raw photos", "IIRO"),
    .init("raw photos", "IIU\0"), .init("raw photos", "ftypcrx ", at: 4),
    .init("BMP images", "BM"),
    .init("Windows icons", "\0\0\u{01}\0"), .init("Windows cursors", "\0\0\u{02}\0"),
    .init("Photoshop documents", "8BPS"), .init("GIMP documents", "gimp xcf"),
    .init("QOI images", "qoif"), .init("OpenEXR images", "v/1\u{01}"),
    .init("Radiance HDR images", "#?RADIANCE"), .init("DDS images", "DDS "),
    .init("DjVu documents", "AT&TFORM"), .init("FLIF images", "FLIF"),
    .init("PDF documents", "%PDF-"), .init("PostScript documents", "%!PS"),
    .init("WebM and Matroska videos", "\u{1A}\u{45}\u{DF}\u{A3}"),
    .init("AVI videos", "AVI ", at: 8), .init("MPEG videos", "\0\0\u{01}\u{BA}"),
    .init("AppleDouble files", "\0\u{05}\u{16}\u{07}"),
    .init("gzip files", "\u{1F}\u{8B}"), .init("ZIP files", "PK\u{03}\u{04}"),
    .init("PNM images", "P1\n"), .init("PNM images", "P2\n"), .init("PNM images", "P3\n"),
    .init("PNM images", "P4\n"), .init("PNM images", "P5\n"), .init("PNM images", "P6\n"),
    .init("PAM images", "P7\n"),
  ]

  /// The maximum number of bytes before the root element of an SVG image that are examined.
  private static let maximumPrologue = 1024

  /// Recognizes the name of a format by the start of a file; nil if it is unknown or a format that is read.
  static func name(sniffing bytes: Span<UInt8>) -> String? {
    if let variant = variants.first(where: { $0.matches(bytes) }) { return variant.name }
    guard ImageFormat(sniffing: bytes) == nil else { return nil }
    if let format = others.first(where: { $0.matches(bytes) }) { return format.name }
    if bytes.text(at: 4) == "ftyp" { return "MP4 and QuickTime videos" }
    return isSVG(bytes) ? "SVG images" : nil
  }

  private func matches(_ bytes: Span<UInt8>) -> Bool {
    let expected = signature.text.unicodeScalars
    return bytes.count >= signature.offset + expected.count
      && expected.enumerated().allSatisfy {
        UInt32(bytes[signature.offset + $0.offset]) == $0.element.value
      }
  }

  /// Returns whether the file is XML or HTML text with an `<svg` element near its start.
  private static func isSVG(_ bytes: Span<UInt8>) -> Bool {
    let start = bytes.text(at: 0, size: min(bytes.count, maximumPrologue)) ?? ""
    let text = Array(start.utf8)
    let tag = Array("<svg".utf8)
    let first = text.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    return first == tag[0] && text.indices.contains { text[$0...].starts(with: tag) }
  }
}
