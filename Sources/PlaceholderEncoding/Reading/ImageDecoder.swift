internal import CPlaceholderCodecs

/// Decodes images into grids, reading no more than that takes.
public struct ImageDecoder: Sendable, Hashable {
  /// Options for reading an image.
  public struct Options: Sendable, Hashable {
    /// The color under transparent pixels.
    public var background: SRGBColor = .white

    /// Whether the image is turned upright by its Exif orientation.
    public var appliesOrientation: Bool = true

    /// Whether an image is decoded at its full size, and a progressive JPEG to its end.
    ///
    /// By default as little is read as a small preview needs, which changes it by less than is seen.
    public var isExact: Bool = false

    /// Whether a damaged image gives what could be decoded of it, and a warning, in place of an error.
    public var isLenient: Bool = false

    /// Whether the file is read to its end, so that damage counts which the preview does not need.
    public var verifiesWholeFile: Bool = false

    /// The defaults.
    public init() {}
  }

  /// Limits on the decoding of one image, most of which are checked against its header.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of pixels by format; without an entry, the default applies.
    ///
    /// Photographs of 200 megapixels exist as JPEG, and are read at 1/8. All pixels of a PNG or GIF image have to be
    /// read. In addition, a side of a PNG image has at most 65,535 pixels, and a side of a WebP image 16,383. An
    /// animation counts with its canvas.
    public var maximumPixelCounts: [ImageFormat: Int] = Self.defaultPixelCounts

    private static let defaultPixelCounts: [ImageFormat: Int] = [
      .jpeg: 268_402_689, .png: 50_000_000, .webp: 268_402_689, .gif: 50_000_000,
    ]

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
    public static let untrusted: Limits = {
      var limits = Limits()
      limits.timeLimit = .seconds(5)
      limits.wallTimeLimit = .seconds(10)
      return limits
    }()

    /// The limits as the codecs take them.
    func codecLimits(of options: Options) -> lqip_limits {
      // A side has at most 65,535 pixels, and so a cell 517×517.
      lqip_limits(
        max_jpeg_pixels: maximumPixelCount(of: .jpeg), max_png_pixels: maximumPixelCount(of: .png),
        max_webp_pixels: maximumPixelCount(of: .webp), max_gif_pixels: maximumPixelCount(of: .gif),
        // To libjpeg, 0 means no limit.
        max_memory: max(1, maximumDecodeMemory),
        max_scans: Int32(clamping: maximumScanCount),
        max_warnings: Int32(clamping: maximumWarningCount),
        max_work: Self.nanoseconds(timeLimit), max_wait: Self.nanoseconds(wallTimeLimit),
        verifies: options.verifiesWholeFile, lenient: options.isLenient)
    }

    private func maximumPixelCount(of format: ImageFormat) -> UInt64 {
      UInt64(clamping: maximumPixelCounts[format] ?? Self.defaultPixelCounts[format] ?? 0)
    }

    /// Nil means no limit; zero or a negative duration expires at once.
    private static func nanoseconds(_ duration: Duration?) -> UInt64 {
      guard let duration else { return .max }
      return UInt64(max(0, min(1e19, duration / .nanoseconds(1))))
    }
  }

  /// How images are to be read.
  public var options: Options
  /// What one image may cost.
  public var limits: Limits

  /// Creates a decoder.
  public init(options: Options = Options(), limits: Limits = Limits()) {
    self.options = options
    self.limits = limits
  }

  /// Decodes an image in memory.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The image's grid, and what its file says of it.
  /// - Throws: ``ImageDecodingError``.
  /// - Complexity: O(bytes + decoded pixels), in memory that does not grow with the image but for the
  ///   coefficients of a progressive JPEG that is read beyond its first scan, and the pixels of a WebP image.
  public func decode(_ bytes: Span<UInt8>) throws(ImageDecodingError) -> DecodedImage {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(ImageDecodingError) in
      try decode(unsafe ImageSource(bytes: bytes, limits: codecLimits))
    }
  }

  /// Decodes an image in memory.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The image's grid, and what its file says of it.
  /// - Throws: ``ImageDecodingError``.
  /// - Complexity: As for a span, which an array has only on newer systems.
  public func decode(_ bytes: [UInt8]) throws(ImageDecodingError) -> DecodedImage {
    let bytes = bytes[...]
    return try decode(bytes.span)
  }

  /// Decodes an image from an open file, a pipe or a socket, reading from its current offset on.
  ///
  /// - Parameter fileDescriptor: It stays open, at an offset of no meaning.
  /// - Returns: The image's grid, and what its file says of it.
  /// - Throws: ``ImageDecodingError``.
  /// - Complexity: As for memory. Of the file, a WebP's compressed image is kept, and up to 16 MB of a JPEG that is
  ///   progressive or may be textured; of any other a piece at a time.
  public func decode(fileDescriptor: Int32) throws(ImageDecodingError) -> DecodedImage {
    try decode(ImageSource(fileDescriptor: fileDescriptor, limits: codecLimits))
  }

  /// Decodes an image in memory, until a function returns true.
  func decode(
    _ bytes: [UInt8], isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> DecodedImage {
    let bytes = bytes[...]
    return try unsafe bytes.span.withUnsafeBufferPointer { bytes throws(ImageDecodingError) in
      try decode(unsafe ImageSource(bytes: bytes, limits: codecLimits), isCancelled)
    }
  }

  /// Decodes an image from an open file, until a function returns true.
  func decode(
    fileDescriptor: Int32, isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> DecodedImage {
    try decode(ImageSource(fileDescriptor: fileDescriptor, limits: codecLimits), isCancelled)
  }

  /// Decodes an image from a file of a known size by `pread` alone, for a process that may do nothing else.
  package func decode(
    file descriptor: Int32, byteCount: Int
  ) throws(ImageDecodingError) -> DecodedImage {
    try decode(ImageSource(file: descriptor, byteCount: byteCount, limits: codecLimits))
  }

  private var codecLimits: lqip_limits { limits.codecLimits(of: options) }

  private func decode(
    _ source: consuming ImageSource, _ isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ImageDecodingError) -> DecodedImage {
    switch try source.format() {
    case .jpeg: try decode(JPEGReader(source), isCancelled)
    case .png: try decode(PNGReader(source), isCancelled)
    case .webp:
      #if WebP
      try decode(WebPReader(source), isCancelled)
      #else
      throw .unsupported(format: .webp, reason: "built without libwebp")
      #endif
    case .gif:
      #if GIF
      try decode(GIFReader(source), isCancelled)
      #else
      throw .unsupported(format: .gif, reason: "built without giflib")
      #endif
    }
  }

  private func decode<Reader: ImageReader & ~Copyable>(
    _ reader: consuming Reader, _ isCancelled: () -> Bool
  ) throws(ImageDecodingError) -> DecodedImage {
    var builder = GridBuilder(
      try reader.start(options), of: reader.header, over: options.background)
    while let place = try reader.readRow(into: &builder.row) {
      guard !isCancelled() else { throw .cancelled }
      builder.addRow(place)
    }
    if options.verifiesWholeFile {
      try reader.verify()
      guard !isCancelled() else { throw .cancelled }
    }
    guard let grid = builder.finish() else { throw reader.failure }
    let header = reader.header
    return DecodedImage(
      header, grid: options.appliesOrientation ? grid.oriented(header.orientation) : grid,
      warnings: reader.warnings)
  }
}
