import LqipSystem
import PlaceholderEncoding

/// An image format that this program recognizes but does not decode.
enum ForeignFormat: String, CaseIterable, Sendable {
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

  /// The name in the error for a file with the signature of the format.
  private var name: String {
    switch self {
    case .ico: "Windows icons"
    case .psd: "Photoshop documents"
    case .raw: "raw photos"
    default: "\(rawValue) images"
    }
  }

  /// Recognizes a format by the start of a file, or by the extension of its name; `nil` for any other file.
  init?(sniffing bytes: [UInt8], at path: FilePath) {
    let bytes = bytes[...]
    let name = ImageFormat.foreignName(sniffing: bytes.span)
    guard
      let format = Self.allCases.first(where: { $0.name == name })
        ?? Self.allCases.first(where: { path.hasExtension(in: $0.extensions) })
    else { return nil }
    self = format
  }
}
