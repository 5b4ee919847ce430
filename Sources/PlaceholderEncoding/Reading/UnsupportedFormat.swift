/// A format that is not supported, detected only for the error message.
enum UnsupportedFormat: CustomStringConvertible {
  case avif
  case heic
  case jpegXL
  case unknown

  /// Detects a format by its signature.
  ///
  /// Sources: ISO/IEC 14496-12, section 4.3, with the brands of AVIF and of ISO/IEC 23008-12, Annex B;
  /// ISO/IEC 18181-2.
  init(sniffing bytes: Span<UInt8>) {
    let brands: [(StaticString, UnsupportedFormat)] = [
      ("avif", .avif), ("avis", .avif), ("heic", .heic), ("heix", .heic), ("heim", .heic),
      ("heis", .heic), ("hevc", .heic), ("hevx", .heic), ("mif1", .heic), ("msf1", .heic),
    ]
    if bytes.starts(with: "ftyp", at: 4) {
      self = brands.first { bytes.starts(with: $0.0, at: 8) }?.1 ?? .unknown
    } else if bytes.integer(at: 0, size: 2) == 0xFF0A || bytes.starts(with: "JXL ", at: 4) {
      self = .jpegXL
    } else {
      self = .unknown
    }
  }

  /// A readable message on one line.
  var description: String {
    switch self {
    case .avif: "AVIF images are not supported"
    case .heic: "HEIC images are not supported"
    case .jpegXL: "JPEG XL images are not supported"
    case .unknown: "not a JPEG, PNG, WebP or GIF image"
    }
  }
}
