internal import Placeholders

/// Writes tiny baseline JPEG files with 4:2:0 subsampling, in as few bytes as the format allows.
///
/// All components share one quantization table, one DC and one AC Huffman table, because more tables take more bytes
/// than they save. The file has no JFIF header; the component numbers 1, 2 and 3 imply YCbCr. libjpeg could write the
/// same file, but its search for Huffman tables takes longer than this encoder as a whole.
///
/// Source: ITU-T T.81, annex B.
enum JPEGWriter {
  /// The maximum side of an image.
  ///
  /// With larger sides, a Huffman code could become too long for the format.
  static let maximumSide = 32

  /// Encodes a bitmap without its alpha.
  ///
  /// - Parameter bitmap: The pixels.
  /// - Returns: The file.
  /// - Precondition: No side is longer than ``maximumSide``.
  static func bytes(of bitmap: RGBABitmap) -> [UInt8] {
    precondition(max(bitmap.width, bitmap.height) <= maximumSide, "image too large")
    let (scan, dc, ac) = JPEGScan(JPEGPlane.planes(of: bitmap)).encoded()
    let huffmanTables =
      [0x00] + dc.lengthCounts + dc.symbols + [0x10] + ac.lengthCounts + ac.symbols
    let frame: [UInt8] = [
      8, 0, UInt8(bitmap.height), 0, UInt8(bitmap.width), 3,
      // The number, sampling factors and quantization table of each component.
      1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0,
    ]
    return [0xff, 0xd8] + segment(0xdb, [0] + JPEGTransform.quantizationTable)
      + segment(0xc0, frame)
      + segment(0xc4, huffmanTables) + segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
      + scan + [0xff, 0xd9]
  }

  /// Creates a marker segment with fewer than 254 bytes of content.
  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker, 0, UInt8(content.count + 2)] + content
  }
}
