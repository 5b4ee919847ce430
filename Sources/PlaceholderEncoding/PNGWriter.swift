internal import CPlaceholderCodecs

/// Writes PNG files.
public enum PNGWriter {
  /// The longest side that is written, which is the longest that libpng reads unless told otherwise.
  public static let maximumSide: Int = 1_000_000

  /// Encodes a bitmap as an RGB image of 8 bits a sample, or RGBA if it has alpha, marked as sRGB.
  ///
  /// - Parameter bitmap: The pixels.
  /// - Returns: The file.
  /// - Throws: A ``PNGWritingError`` if a side is too long or memory is lacking.
  /// - Complexity: O(pixels).
  public static func bytes(of bitmap: Bitmap) throws(PNGWritingError) -> [UInt8] {
    try bytes(of: bitmap, isSmall: false)
  }

  /// The same, or in as few bytes as there may be, without a mark of the color space.
  static func bytes(of bitmap: Bitmap, isSmall: Bool) throws(PNGWritingError) -> [UInt8] {
    guard max(bitmap.width, bitmap.height) <= maximumSide else {
      throw .tooLarge(width: bitmap.width, height: bitmap.height)
    }
    var count = 0
    let hasAlpha = !bitmap.alphas.isEmpty
    let file = unsafe bitmap.interleaved.withUnsafeBufferPointer { samples in
      unsafe samples.baseAddress.flatMap {
        unsafe lqip_png_write(
          $0, UInt32(bitmap.width), UInt32(bitmap.height), hasAlpha, isSmall, &count)
      }
    }
    guard let file = unsafe file else { throw .outOfMemory }
    defer { unsafe lqip_png_free(file) }
    return unsafe Array(UnsafeBufferPointer(start: file, count: count))
  }
}
