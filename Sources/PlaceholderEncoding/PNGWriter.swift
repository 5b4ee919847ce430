internal import CPlaceholderCodecs

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes PNG files.
public enum PNGWriter {
  /// Encodes a bitmap as an RGB image of 8 bits a sample, marked as sRGB.
  ///
  /// - Precondition: The system has the memory that this takes.
  /// - Complexity: O(pixels).
  public static func bytes(of bitmap: Bitmap) -> [UInt8] {
    var count = 0
    let file = unsafe bitmap.samples.withUnsafeBufferPointer { samples in
      unsafe samples.baseAddress.flatMap {
        unsafe lqip_png_write($0, UInt32(bitmap.width), UInt32(bitmap.height), &count)
      }
    }
    guard let file = unsafe file else { preconditionFailure("out of memory") }
    defer { unsafe free(file) }
    return unsafe Array(UnsafeBufferPointer(start: file, count: count))
  }
}
