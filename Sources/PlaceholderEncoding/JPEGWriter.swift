internal import CPlaceholderCodecs

/// Writes JPEG files that are as small as can be.
enum JPEGWriter {
  /// Encodes the colors of a bitmap.
  ///
  /// - Parameters:
  ///   - bitmap: The pixels, at most 65,500 a side; their alpha is left out.
  ///   - quality: As libjpeg counts, 1 to 100.
  /// - Returns: The file; nil if memory is lacking.
  static func smallBytes(of bitmap: Bitmap, quality: Int) -> [UInt8]? {
    var count = 0
    let file = unsafe bitmap.samples.withUnsafeBufferPointer { samples in
      unsafe samples.baseAddress.flatMap {
        unsafe lqip_jpeg_write_small(
          $0, UInt32(bitmap.width), UInt32(bitmap.height), Int32(quality), &count)
      }
    }
    guard let file = unsafe file else { return nil }
    defer { unsafe lqip_jpeg_free(file) }
    return unsafe Array(UnsafeBufferPointer(start: file, count: count))
  }
}
