#if WebP

internal import CPlaceholderCodecs
internal import Placeholders

/// A writer that can encode one bitmap with libwebp several times, each time with different settings.
@safe struct WebPWriter: ~Copyable {
  /// The range of quantizers in the format, from the finest to the coarsest.
  static let quantizers = 0...127

  private let handle: OpaquePointer
  private let capacity: Int

  /// Creates a writer of files of at most `capacity` bytes; nil if an allocation fails.
  init?(_ bitmap: RGBABitmap, capacity: Int, _ coding: lqip_webp_coding) {
    let hasAlpha = !bitmap.isOpaque
    let handle = unsafe bitmap.pixels.withUnsafeBufferPointer { samples in
      unsafe samples.baseAddress.flatMap {
        unsafe lqip_webp_writer_create(
          $0, UInt32(bitmap.width), UInt32(bitmap.height), hasAlpha, coding)
      }
    }
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
    self.capacity = capacity
  }

  deinit { unsafe lqip_webp_writer_destroy(handle) }

  /// Returns the size of the encoded bitmap, and the file if it fits; nil if an allocation fails.
  ///
  /// The quantizer is ignored for lossless files. The alpha quality ranges from 0 for two levels of alpha to 100 for all.
  func file(quantizer: Int, alphaQuality: Int) -> (byteCount: Int, bytes: [UInt8]?)? {
    var byteCount = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      byteCount = unsafe lqip_webp_writer_encode(
        handle, Int32(quantizer), Int32(alphaQuality), start, capacity)
      count = byteCount <= capacity ? byteCount : 0
    }
    guard byteCount > 0 else { return nil }
    return (byteCount, byteCount <= capacity ? bytes : nil)
  }
}

extension RGBABitmap {
  /// Creates a bitmap from a file that a ``WebPWriter`` has encoded; nil if an allocation fails.
  init?(webP file: [UInt8], width: Int, height: Int) {
    let byteCount = width * height * 4
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      let isDecoded = unsafe lqip_webp_decode(
        file, file.count, UInt32(width), UInt32(height), start)
      count = isDecoded ? byteCount : 0
    }
    guard !pixels.isEmpty else { return nil }
    self.init(width: width, height: height, unchecked: pixels)
  }
}

#endif
