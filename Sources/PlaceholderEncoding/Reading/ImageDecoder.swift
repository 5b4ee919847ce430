internal import CPlaceholderCodecs
public import Placeholders

/// A decoder that turns images into grids and reads only as much of a file as necessary.
///
/// ```swift
/// let image = try ImageDecoder(limits: .untrusted).decode(bytes)
/// print(image.format, image.grid.sourceWidth, image.grid.sourceHeight)
/// print(BlurHash(encoding: image.grid))
/// ```
public struct ImageDecoder: Sendable, Hashable {
  /// Options for reading an image.
  public struct Options: Sendable, Hashable {
    /// The color behind transparent pixels, which are blended with it in encoded sRGB, as in browsers.
    public var background: SRGBColor = .white

    /// Whether to rotate and flip the image according to its Exif orientation.
    public var appliesOrientation: Bool = true

    /// Whether to decode an image at full size, and a progressive JPEG to its end.
    ///
    /// By default, the decoder reads only as much as a small preview needs. The difference in the placeholders is
    /// invisible.
    public var isExact: Bool = false

    /// Whether to return the intact part of a damaged image with a warning, instead of throwing an error.
    public var isLenient: Bool = false

    /// Whether to read the file to its end, so that damage anywhere in it is detected.
    public var verifiesWholeFile: Bool = false

    /// Creates options with the default values.
    public init() {}
  }

  /// Limits on decoding one image.
  ///
  /// The number of pixels is checked as soon as the header is read. The other limits are checked during decoding.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of pixels by format; ``defaultPixelCount(of:)`` applies to formats without an entry.
    ///
    /// The default for JPEG is higher than for PNG and GIF. Photos of 200 megapixels exist, and a JPEG can be decoded
    /// at 1/8 of its size, whereas PNG and GIF images must be decoded at full size. In addition, a side of a PNG image
    /// is limited to 65,535 pixels, and a side of a WebP image to 16,383. For an animation, the limits apply to the
    /// canvas.
    public var maximumPixelCounts: [ImageFormat: Int] = [:]

    /// Returns the maximum number of pixels of a format without an entry in ``maximumPixelCounts``.
    public static func defaultPixelCount(of format: ImageFormat) -> Int {
      switch format {
      case .jpeg, .webp, .avif, .heic, .heif: 268_402_689
      case .png, .gif: 50_000_000
      }
    }

    /// The maximum memory in bytes for images that a codec cannot decode row by row.
    ///
    /// For JPEG, it limits the coefficients of a progressive image that libjpeg decodes, and the bytes that are read
    /// ahead. For WebP, it limits the decoded pixels, the memory that libwebp allocates, and the
    /// compressed image if it is read from a file. For AVIF and HEIC, it limits the decoded pixels of a tile.
    public var maximumDecodeMemory: Int = 256 << 20

    /// The maximum number of scans in a JPEG image.
    ///
    /// In a sample of 774 real files, no image has more than 18 scans.
    public var maximumScanCount: Int = 100

    /// The maximum number of codec warnings per image, including duplicates.
    public var maximumWarningCount: Int = 100

    /// The maximum CPU time per image; nil for no limit.
    ///
    /// Unlike wall time, CPU time does not depend on the load of the machine.
    public var timeLimit: Duration?

    /// The maximum wall time per image; nil for no limit.
    ///
    /// The limit includes the time spent waiting for a slow file or pipe, and should be longer than ``timeLimit``.
    public var wallTimeLimit: Duration?

    /// Creates the default limits, which accept common photos and web images and do not limit the time.
    public init() {}

    /// Limits for untrusted images, with the time limits of `lqip serve`.
    ///
    /// Check the size of the file before you decode it: 20 MiB is enough for photos from cameras and phones.
    public static let untrusted: Limits = {
      var limits = Limits()
      limits.timeLimit = .seconds(5)
      limits.wallTimeLimit = .seconds(10)
      return limits
    }()

    func codecLimits(of options: Options) -> lqip_limits {
      lqip_limits(
        max_pixels: (
          maximumPixelCount(of: .jpeg), maximumPixelCount(of: .png), maximumPixelCount(of: .webp),
          maximumPixelCount(of: .gif)
        ),
        // At least 1, because 0 means no limit to libjpeg.
        max_memory: max(1, maximumDecodeMemory),
        max_scans: Int32(clamping: maximumScanCount),
        max_warnings: Int32(clamping: maximumWarningCount),
        max_cpu_time: Self.nanoseconds(timeLimit), max_wall_time: Self.nanoseconds(wallTimeLimit),
        exact: options.isExact, verifies: options.verifiesWholeFile, lenient: options.isLenient)
    }

    func maximumPixelCount(of format: ImageFormat) -> UInt64 {
      UInt64(clamping: maximumPixelCounts[format] ?? Self.defaultPixelCount(of: format))
    }

    /// Converts a duration to nanoseconds; nil means no limit, and a duration of zero or less expires at once.
    private static func nanoseconds(_ duration: Duration?) -> UInt64 {
      guard let duration else { return .max }
      return UInt64(max(0, min(1e19, duration / .nanoseconds(1))))
    }
  }

  /// The options for reading images.
  public var options: Options
  /// The limits on decoding one image.
  public var limits: Limits
  /// Whether small images with few colors are also copied, for a preview that is the image itself.
  var copiesFlatPixels = false

  /// Creates a decoder.
  public init(options: Options = Options(), limits: Limits = Limits()) {
    self.options = options
    self.limits = limits
  }

  /// Decodes an image in memory.
  ///
  /// - Parameter bytes: The complete file.
  /// - Returns: The grid of the image, and the properties of its file.
  /// - Throws: ``ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  /// - Complexity: O(bytes + decoded pixels) time. Memory is constant, except for the pixels of a WebP image or of a
  ///   tile of an AVIF or HEIC image, and the means of the blocks of a JPEG, which take up to a sixth of a byte per pixel.
  public func decode(_ bytes: Span<UInt8>) throws(ImageDecodingError) -> DecodedImage {
    try decode(bytes) { false }
  }

  /// Decodes an image in memory.
  ///
  /// - Parameter bytes: The complete file.
  /// - Returns: The grid of the image, and the properties of its file.
  /// - Throws: ``ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  /// - Complexity: That of ``ImageDecoder/decode(_:)-(Span<UInt8>)``.
  public func decode(_ bytes: [UInt8]) throws(ImageDecodingError) -> DecodedImage {
    let bytes = bytes[...]
    return try decode(bytes.span)
  }

  /// Decodes an image from a pipe, a socket, or an open file, which is read from its current offset.
  ///
  /// - Parameter fileDescriptor: The descriptor, which stays open. Its offset is unspecified afterwards.
  /// - Returns: The grid of the image, and the properties of its file.
  /// - Throws: ``ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  /// - Complexity: That of ``ImageDecoder/decode(_:)-(Span<UInt8>)``. The file is read in chunks. Memory also holds
  ///   the compressed data of a WebP image, and for a pipe that of a JPEG.
  public func decode(fileDescriptor: Int32) throws(ImageDecodingError) -> DecodedImage {
    try decode(fileDescriptor: fileDescriptor) { false }
  }

  /// Decodes an image in memory, and stops once `isCancelled` returns true.
  package func decode(
    _ bytes: Span<UInt8>, isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> DecodedImage {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(ImageDecodingError) in
      try unsafe decode(
        lqip_codec_create_with_bytes(bytes.baseAddress, bytes.count, codecLimits), isCancelled)
    }
  }

  /// Decodes an image from an open file, and stops once `isCancelled` returns true.
  package func decode(
    fileDescriptor: Int32, isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> DecodedImage {
    try unsafe decode(lqip_codec_create_with_descriptor(fileDescriptor, codecLimits), isCancelled)
  }

  /// Decodes an image from a file of a known size, for a sandboxed process that is limited to `pread`.
  package func decode(
    file descriptor: Int32, byteCount: Int
  ) throws(ImageDecodingError) -> DecodedImage {
    try unsafe decode(
      lqip_codec_create_with_file(descriptor, 0, Int64(byteCount), codecLimits)
    ) { false }
  }

  private var codecLimits: lqip_limits { limits.codecLimits(of: options) }

  private func decode(
    _ codec: OpaquePointer?, _ isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> DecodedImage {
    let source = try unsafe ImageSource(codec)
    let format = try source.format()
    guard !format.isHEIF else {
      let reader = try HEIFReader(source, format, options: options, limits: limits)
      return try reader.decode(isCancelled: isCancelled)
    }
    let reader = try ImageReader(source, format)
    var builder = GridBuilder(
      of: reader.header, samples: reader.samples, profile: reader.profile,
      over: options.background, copiesFlatPixels: copiesFlatPixels && reader.orientation == .up)
    while let position = try reader.readRow(into: &builder.row) {
      guard !isCancelled() else { throw .cancelled }
      builder.addRow(position)
    }
    if options.verifiesWholeFile && isCancelled() { throw .cancelled }
    guard let grid = builder.finish() else { throw reader.failure }
    return DecodedImage(
      format: reader.format,
      grid: options.appliesOrientation ? grid.oriented(reader.orientation) : grid,
      orientation: reader.orientation, hasAlpha: reader.samples.hasAlpha,
      isAnimated: reader.header.is_animated || reader.frameCount != nil,
      frameCount: reader.frameCount, isComplete: reader.isComplete, warnings: reader.warnings,
      flatBitmap: builder.flatBitmap)
  }
}

/// An image decoded by ``ImageDecoder``: its grid, and the properties of its file.
public struct DecodedImage: Sendable, Hashable {
  /// The format, detected from the first bytes of the file.
  public let format: ImageFormat

  /// The averaged pixels, upright unless ``ImageDecoder/Options/appliesOrientation`` is false.
  public let grid: PixelGrid

  /// The Exif orientation in the file; ``/Placeholders/ImageOrientation/up`` if the file has none.
  public let orientation: ImageOrientation

  /// Whether the file has an alpha channel or a transparent color, even if all pixels are opaque.
  public let hasAlpha: Bool

  /// Whether the file is an animation.
  ///
  /// Only the first frame is decoded. For PNG, that is the default image if the first frame is partial.
  public let isAnimated: Bool

  /// The number of frames, at most 65,536; nil for a still image.
  ///
  /// For WebP and GIF, the frames are counted. For other formats, the number comes from the header.
  public let frameCount: Int?

  /// Whether the file has all of the image: false if it is cut off or damaged, nil if the rest of it was not read.
  ///
  /// A damaged image throws an error unless ``ImageDecoder/Options/isLenient`` is set. With
  /// ``ImageDecoder/Options/verifiesWholeFile``, the value is never nil.
  public let isComplete: Bool?

  /// The problems that did not prevent decoding, without duplicates.
  public let warnings: [String]

  /// The pixels of a small image with few colors, if the decoder copies them.
  let flatBitmap: RGBABitmap?
}
