internal import Placeholders

/// Writes tiny baseline JPEG files of 4:2:0, in as few bytes as the format allows.
///
/// All components share one quantization table and one Huffman table for each class, as every further table takes
/// more bytes than it saves. There is no JFIF header: the numbers 1, 2 and 3 of the components stand for YCbCr.
/// libjpeg could write the same, but its search for Huffman tables takes longer than all that is done here.
///
/// Source: ITU-T T.81, annex B.
enum JPEGWriter {
  /// The longest side of a preview, below that at which a code could become too long for the format.
  static let maximumSide = 32

  /// Encodes the colors of a bitmap.
  ///
  /// - Parameter bitmap: The pixels; their alpha is left out.
  /// - Returns: The file.
  /// - Precondition: No side is longer than ``maximumSide``.
  static func bytes(of bitmap: Bitmap) -> [UInt8] {
    precondition(max(bitmap.width, bitmap.height) <= maximumSide, "image too large")
    let (scan, dc, ac) = JPEGScan(JPEGPlane.planes(of: bitmap)).encoded()
    let huffmanTables =
      [0x00] + dc.lengthCounts + dc.symbols + [0x10] + ac.lengthCounts + ac.symbols
    let frame: [UInt8] = [
      8, 0, UInt8(bitmap.height), 0, UInt8(bitmap.width), 3,
      // Number, sampling factors and quantization table of each component.
      1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0,
    ]
    return [0xff, 0xd8] + segment(0xdb, [0] + JPEGTransform.quantizationTable)
      + segment(0xc0, frame)
      + segment(0xc4, huffmanTables) + segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
      + scan + [0xff, 0xd9]
  }

  /// A marker segment with less than 254 bytes of content.
  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker, 0, UInt8(content.count + 2)] + content
  }
}
