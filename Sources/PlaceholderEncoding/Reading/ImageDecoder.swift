internal import CPlaceholderCodecs

/// Decodes images into grids, reading no more than that takes.
public struct ImageDecoder: Sendable, Hashable {
  /// How images are to be read.
  public var options: DecodeOptions
  /// What one image may cost.
  public var limits: DecodeLimits

  /// Creates a decoder.
  public init(options: DecodeOptions = DecodeOptions(), limits: DecodeLimits = DecodeLimits()) {
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
  /// - Complexity: As for memory. Of the file, a WebP's compressed image is kept, and up to 14 MB of a JPEG that may
  ///   be textured; of any other a piece at a time.
  public func decode(fileDescriptor: Int32) throws(ImageDecodingError) -> DecodedImage {
    try decode(ImageSource(fileDescriptor: fileDescriptor, limits: codecLimits))
  }

  /// Decodes an image from a file of a known size by `pread` alone, for a process that may do nothing else.
  package func decode(
    file descriptor: Int32, byteCount: Int
  ) throws(ImageDecodingError) -> DecodedImage {
    try decode(ImageSource(file: descriptor, byteCount: byteCount, limits: codecLimits))
  }

  private var codecLimits: lqip_limits { limits.codecLimits(of: options) }

  private func decode(
    _ source: consuming ImageSource
  ) throws(ImageDecodingError) -> DecodedImage {
    switch try source.format() {
    case .jpeg: try decode(JPEGReader(source))
    case .png: try decode(PNGReader(source))
    case .webp:
      #if WebP
      try decode(WebPReader(source))
      #else
      throw .unsupported(format: .webp, reason: "built without libwebp")
      #endif
    case .gif:
      #if GIF
      try decode(GIFReader(source))
      #else
      throw .unsupported(format: .gif, reason: "built without giflib")
      #endif
    }
  }

  private func decode<Reader: ImageReader & ~Copyable>(
    _ reader: consuming Reader
  ) throws(ImageDecodingError) -> DecodedImage {
    var builder = GridBuilder(
      try reader.start(options), of: reader.header, over: options.background)
    while let place = try reader.readRow(into: &builder.row) {
      guard !Task.isCancelled else { throw .cancelled }
      builder.addRow(place)
    }
    if options.verifiesWholeFile {
      try reader.verify()
      guard !Task.isCancelled else { throw .cancelled }
    }
    guard let grid = builder.finish() else { throw reader.failure }
    let header = reader.header
    return DecodedImage(
      header, grid: options.appliesOrientation ? grid.oriented(header.orientation) : grid,
      warnings: reader.warnings)
  }
}
