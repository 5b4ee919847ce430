internal import Placeholders

/// Writes JPEG files of few pixels in as few bytes as can be.
///
/// All components share their tables, as every further one would take more bytes than it saves, and there is no JFIF
/// header: the numbers of the components tell what they are. libjpeg could write the same, but takes ten times as long
/// for an image of some blocks as for their pixels.
///
/// Source: ITU-T T.81, annex B.
enum JPEGWriter {
  /// The longest side: for more pixels, the best code could have codes that are longer than a file allows.
  static let maximumSide = 32

  /// Encodes the colors of a bitmap.
  ///
  /// - Parameter bitmap: The pixels; their alpha is left out.
  /// - Returns: The file.
  /// - Precondition: No side is longer than ``maximumSide``.
  static func bytes(of bitmap: Bitmap) -> [UInt8] {
    precondition(max(bitmap.width, bitmap.height) <= maximumSide, "the image is tiny")
    let (scan, first, other) = JPEGScan(JPEGPlane.planes(of: bitmap)).encoded()
    let tables =
      [0x00] + first.lengthCounts + first.symbols + [0x10] + other.lengthCounts + other.symbols
    let frame: [UInt8] = [
      8, 0, UInt8(bitmap.height), 0, UInt8(bitmap.width), 3,
      // Number, sampling factors and table of steps of each component.
      1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0,
    ]
    return [0xff, 0xd8] + segment(0xdb, [0] + JPEGTransform.steps) + segment(0xc0, frame)
      + segment(0xc4, tables) + segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
      + scan + [0xff, 0xd9]
  }

  /// A marker with what it is about, which is less than 254 bytes.
  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker, 0, UInt8(content.count + 2)] + content
  }
}
