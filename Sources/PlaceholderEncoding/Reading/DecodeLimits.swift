internal import CPlaceholderCodecs

/// Limits on the decoding of one image, most of which are checked against its header.
public struct DecodeLimits: Sendable, Hashable {
  /// The most pixels of a JPEG image.
  ///
  /// Photographs of 200 megapixels exist, and are read at 1/8.
  public var maximumJPEGPixelCount: Int = 268_402_689

  /// The most pixels of a PNG image, all of which have to be read.
  ///
  /// A side may have 65,535 of them, so that rows stay small.
  public var maximumPNGPixelCount: Int = 50_000_000

  /// The most pixels of a WebP image, or of an animation's canvas, of which a side may have 16,383.
  public var maximumWebPPixelCount: Int = 268_402_689

  /// The most pixels of a GIF image's canvas, all of which have to be read.
  public var maximumGIFPixelCount: Int = 50_000_000

  /// The most bytes that a codec may allocate for what is not read row by row.
  ///
  /// These are the coefficients of a progressive JPEG, unless its first scan is enough, and what of a textured
  /// one is read ahead; of a WebP image its decoded pixels and what libwebp needs besides, and in a file the
  /// compressed image.
  public var maximumDecodeMemory: Int = 256 << 20

  /// The most scans of a JPEG image.
  ///
  /// Of 774 real files, the one with most has 18.
  public var maximumScanCount: Int = 100

  /// The most warnings of a codec.
  public var maximumWarningCount: Int = 100

  /// The processor's time that one image may take, or nil.
  ///
  /// How busy the machine is with other things does not change what an image gives.
  public var timeLimit: Duration?

  /// The time that may pass while an image is decoded, or nil.
  ///
  /// It is for files that have to be waited for, and needs to be longer than ``timeLimit``.
  public var wallTimeLimit: Duration?

  /// The defaults, with which any image of a camera or from the web can be read; there is no time limit.
  public init() {}

  /// Limits for images from strangers: those of `lqip serve`, with its time of a few seconds.
  ///
  /// The size of the file is for the caller to check, who knows it before anything is read: 20 MiB is
  /// enough for what cameras and phones produce.
  public static let untrusted: DecodeLimits = {
    var limits = DecodeLimits()
    limits.timeLimit = .seconds(5)
    limits.wallTimeLimit = .seconds(10)
    return limits
  }()

  /// The limits as the codecs take them.
  func codecLimits(of options: DecodeOptions) -> lqip_limits {
    // A side has at most 65,535 pixels, and so a cell 517×517.
    lqip_limits(
      max_jpeg_pixels: UInt64(clamping: maximumJPEGPixelCount),
      max_png_pixels: UInt64(clamping: maximumPNGPixelCount),
      max_webp_pixels: UInt64(clamping: maximumWebPPixelCount),
      max_gif_pixels: UInt64(clamping: maximumGIFPixelCount),
      // To libjpeg, 0 means no limit.
      max_memory: max(1, maximumDecodeMemory),
      max_scans: Int32(clamping: maximumScanCount),
      max_warnings: Int32(clamping: maximumWarningCount),
      max_work: Self.nanoseconds(timeLimit), max_wait: Self.nanoseconds(wallTimeLimit),
      verifies: options.verifiesWholeFile, lenient: options.isLenient)
  }

  /// Nil means no limit; zero or a negative duration expires at once.
  private static func nanoseconds(_ duration: Duration?) -> UInt64 {
    guard let duration else { return .max }
    return UInt64(max(0, min(1e19, duration / .nanoseconds(1))))
  }
}
