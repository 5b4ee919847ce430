import LqipSystem

/// An image format that this program recognizes but does not decode.
enum ForeignFormat: String, CaseIterable, Sendable {
  case heic = "HEIC"
  case avif = "AVIF"
  case jpegXL = "JPEG XL"
  case jpeg2000 = "JPEG 2000"
  case tiff = "TIFF"
  case bmp = "BMP"
  case ico = "ICO"
  case psd = "PSD"
  case svg = "SVG"
  case raw = "raw"

  private var extensions: [String] {
    switch self {
    case .heic: ["heic", "heif", "hif"]
    case .avif: ["avif"]
    case .jpegXL: ["jxl"]
    case .jpeg2000: ["jp2", "j2k", "jpx"]
    case .tiff: ["tif", "tiff"]
    case .bmp: ["bmp"]
    case .ico: ["ico"]
    case .psd: ["psd"]
    case .svg: ["svg"]
    case .raw: ["dng", "cr2", "cr3", "nef", "arw", "orf", "raf", "rw2"]
    }
  }

  /// The first bytes of a file; a format without a signature of four bytes or more has none.
  ///
  /// Sources: ISO/IEC 23008-12 and AV1-AVIF (brands), ISO/IEC 18181-2, 15444-1 Annex I, TIFF 6.0.
  private var signatures: [[UInt8]] {
    switch self {
    case .heic: ["heic", "heix", "mif1", "msf1", "heim", "heis"].map { Array("ftyp\($0)".utf8) }
    case .avif: ["avif", "avis"].map { Array("ftyp\($0)".utf8) }
    case .jpegXL: [[0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]]
    case .jpeg2000: [[0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]]
    case .tiff: [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]]
    case .psd: [Array("8BPS".utf8)]
    case .bmp, .ico, .svg, .raw: []
    }
  }

  /// Recognizes a format by the first 12 bytes of a file, or by the extension of its name; `nil` for any other file.
  init?(sniffing bytes: [UInt8], at path: FilePath) {
    let format = Self.allCases.first { format in
      format.signatures.contains { bytes.starts(with: $0) || bytes.dropFirst(4).starts(with: $0) }
    }
    guard
      let format = format ?? Self.allCases.first(where: { path.hasExtension(in: $0.extensions) })
    else { return nil }
    self = format
  }
}
