/// A generated PNG file, valid or invalid, with stored blocks instead of compressed data.
///
/// Sources: PNG, sections 5 and 11; RFC 1950; RFC 1951.
package struct PNGFile {
  /// The color type in the header.
  package enum Color: UInt8, CaseIterable, Sendable {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    /// The number of samples per pixel.
    package var channelCount: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  private let header: [UInt8]

  /// The chunks between header and image data.
  package var ancillary: [UInt8] = []

  /// The chunks between image data and end.
  package var trailing: [UInt8] = []

  /// The zlib stream; nil stores the scanlines without compression.
  package var compressed: [UInt8]?

  /// The inflated content of the zlib stream.
  package var scanlines: [UInt8] = []

  /// The first byte of the stream: compression method and window size.
  package var method: UInt8 = 0x78

  /// The value to add to the correct checksum of the stream.
  package var checksumError: UInt32 = 0

  /// The bytes after the stream within the image data.
  package var excess: [UInt8] = []

  /// The maximum number of stream bytes per chunk.
  package var chunkSize: Int = 8192

  /// Creates an image without scanlines.
  package init(width: Int, height: Int, depth: Int, color: Color) {
    let layout = [UInt8(depth), color.rawValue, 0, 0, 0]
    header = Self.bytes(of: width) + Self.bytes(of: height) + layout
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk("IHDR", header) + ancillary
    let data = (compressed ?? stream) + excess
    for start in stride(from: 0, to: data.count, by: chunkSize) {
      file += Self.chunk("IDAT", Array(data[start..<min(data.count, start + chunkSize)]))
    }
    return file + trailing + Self.chunk("IEND", [])
  }

  /// Encodes a chunk with a correct checksum.
  package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + content
    return bytes(of: content.count) + checked + bytes(of: Int(crc(of: checked)))
  }

  /// A zlib stream of stored blocks.
  package var stream: [UInt8] {
    let blockSize = 40_000
    var stream = [method, UInt8(31 - Int(method) * 256 % 31)]
    for start in stride(from: 0, to: max(1, scanlines.count), by: blockSize) {
      let block = scanlines[start..<min(scanlines.count, start + blockSize)]
      let count = UInt16(block.count)
      stream.append(start + blockSize >= scanlines.count ? 1 : 0)
      stream += [count, ~count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + block
    }
    return stream + Self.bytes(of: Int(Self.adler(of: scanlines) &+ checksumError))
  }

  private static func bytes(of number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
  }

  private static func adler(of bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  private static func crc(of bytes: [UInt8]) -> UInt32 {
    let polynomial: UInt32 = 0xEDB8_8320
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ polynomial : crc >> 1 }
    }
    return ~crc
  }
}
