internal import CPlaceholderCodecs

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the decoding of one image may cost; more is refused, most of it from the header alone.
public struct DecodeLimits: Sendable, Hashable {
  /// The most pixels of a JPEG image.
  ///
  /// Photographs of 200 megapixels exist, and are read at 1/8.
  public var maximumJPEGPixelCount: Int = 268_402_689

  /// The most pixels of a PNG image, all of which have to be read.
  public var maximumPNGPixelCount: Int = 50_000_000

  /// The most bytes that libjpeg may allocate; what a progressive image's coefficients need counts.
  public var maximumDecodeMemory: Int = 256 << 20

  /// The most scans of a JPEG image.
  ///
  /// Of 774 real files, the one with most has 18.
  public var maximumScanCount: Int = 100

  /// The most warnings of a codec.
  public var maximumWarningCount: Int = 100

  /// The time that one image may take, or nil.
  public var deadline: Duration?

  /// The defaults, with which any image of a camera or from the web can be read.
  public init() {}

  /// The limits as the codecs take them, with the deadline counted from now.
  func codecLimits(isLenient: Bool) -> lqip_limits {
    // A cell's sums hold 2^21 pixels, so the 127×127 cells of a grid hold this many.
    let highestPixelCount: UInt64 = 1 << 34
    return lqip_limits(
      max_jpeg_pixels: min(UInt64(clamping: maximumJPEGPixelCount), highestPixelCount),
      max_png_pixels: min(UInt64(clamping: maximumPNGPixelCount), highestPixelCount),
      // To libjpeg, 0 means no limit.
      max_memory: max(1, maximumDecodeMemory),
      max_scans: Int32(clamping: maximumScanCount),
      max_warnings: Int32(clamping: maximumWarningCount),
      deadline: deadline.map(Self.monotonicTime) ?? 0,
      lenient: isLenient)
  }

  /// Nanoseconds of the monotonic clock at a time from now.
  private static func monotonicTime(after duration: Duration) -> UInt64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    // A deadline in the past has passed now; one in three hundred years never comes.
    let ahead = max(0, min(1e19 / 2, duration / .nanoseconds(1)))
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec) + UInt64(ahead)
  }
}
