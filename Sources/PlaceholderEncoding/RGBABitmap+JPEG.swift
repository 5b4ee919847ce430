internal import CPlaceholderCodecs
internal import Placeholders

extension RGBABitmap {
  /// Encodes the bitmap without alpha as a JPEG file; nil if it would exceed `capacity` bytes or an allocation fails.
  func jpegData(upTo capacity: Int) -> [UInt8]? {
    let file = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { file, count in
      count = unsafe rgb.withUnsafeBufferPointer { samples in
        guard let samples = samples.baseAddress, let start = file.baseAddress else { return 0 }
        return unsafe lqip_jpeg_write(samples, UInt32(width), UInt32(height), start, capacity)
      }
    }
    return file.isEmpty ? nil : file
  }
}
