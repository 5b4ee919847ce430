internal import CPlaceholderCodecs
public import Placeholders

extension RGBABitmap {
  /// The reason why a bitmap cannot be encoded as PNG.
  @nonexhaustive
  public enum PNGError: Error, Hashable, Sendable {
    /// A side is longer than ``maximumPNGSide``.
    case tooLarge(width: Int, height: Int)
    /// An allocation failed.
    case outOfMemory
  }

  /// The maximum width and height of a PNG file in pixels, equal to libpng's default limit for reading.
  public static let maximumPNGSide: Int = 1_000_000

  /// Encodes the bitmap as a PNG file in sRGB, with 8 bits per sample: RGB if it is opaque, otherwise RGBA.
  ///
  /// ```swift
  /// let hash = try BlurHash(parsing: "LtDTq=t3kCV[yGs.j@WWIWoff5bH")
  /// let file = try hash.bitmap(width: 32, height: 24).pngData()
  /// print(file.count)
  /// ```
  ///
  /// - Returns: The bytes of the file.
  /// - Throws: A ``PNGError`` if a side is too long or an allocation fails.
  /// - Complexity: O(pixels).
  public func pngData() throws(PNGError) -> [UInt8] {
    try pngData(isSmall: false)
  }

  /// Encodes the bitmap; if `isSmall` is true, with the highest compression level and without a color space chunk.
  func pngData(isSmall: Bool) throws(PNGError) -> [UInt8] {
    guard max(width, height) <= Self.maximumPNGSide else {
      throw .tooLarge(width: width, height: height)
    }
    var count = 0
    let hasAlpha = !isOpaque
    let file = unsafe pixels.withUnsafeBufferPointer { samples in
      unsafe samples.baseAddress.flatMap {
        unsafe lqip_png_write($0, UInt32(width), UInt32(height), hasAlpha, isSmall, &count)
      }
    }
    guard let file = unsafe file else { throw .outOfMemory }
    defer { unsafe lqip_png_free(file) }
    return unsafe Array(UnsafeBufferPointer(start: file, count: count))
  }

  /// Encodes the bitmap without alpha as a JPEG file; nil if it would exceed `capacity` bytes or an allocation fails.
  func jpegData(upTo capacity: Int) -> [UInt8]? {
    let file = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { file, count in
      count = unsafe pixels.withUnsafeBufferPointer { samples in
        guard let samples = samples.baseAddress, let start = file.baseAddress else { return 0 }
        return unsafe lqip_jpeg_write(samples, UInt32(width), UInt32(height), start, capacity)
      }
    }
    return file.isEmpty ? nil : file
  }
}

extension RGBABitmap.PNGError: CustomStringConvertible {
  /// A readable message.
  public var description: String {
    switch self {
    case .tooLarge(let width, let height):
      "a PNG image of \(width)x\(height) pixels exceeds the limit of "
        + "\(RGBABitmap.maximumPNGSide) pixels per side"
    case .outOfMemory: "not enough memory for the PNG image"
    }
  }
}
