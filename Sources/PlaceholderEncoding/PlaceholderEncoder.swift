/// Encodes the bytes of an image into all its placeholders.
///
/// The image is decoded once into a small grid, and everything is computed from that.
public struct PlaceholderEncoder: Sendable, Hashable {
  /// Grows whenever the same image may give other placeholders than before.
  public static let algorithmVersion: Int = 2

  /// How images are decoded.
  public var decoder: ImageDecoder

  /// The terms of a BlurHash; nil to choose them by the image's shape.
  public var components: ComponentCount?

  /// How these terms are chosen.
  public var blurHashEncoding: BlurHashEncoding

  /// How the three colors of an LQIP are chosen.
  public var lqipEncoding: LQIPEncoding

  /// Whether three more colors are looked for, to be laid over the first.
  public var includesSecondLQIP: Bool

  /// Creates an encoder.
  public init(
    options: DecodeOptions = DecodeOptions(), limits: DecodeLimits = DecodeLimits(),
    components: ComponentCount? = nil, blurHashEncoding: BlurHashEncoding = .reference,
    lqipEncoding: LQIPEncoding = .fitted, includesSecondLQIP: Bool = false
  ) {
    self.decoder = ImageDecoder(options: options, limits: limits)
    self.components = components
    self.blurHashEncoding = blurHashEncoding
    self.lqipEncoding = lqipEncoding
    self.includesSecondLQIP = includesSecondLQIP
  }

  /// Encodes an image in memory.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The placeholders, and what is known of the image.
  /// - Throws: ``ImageDecodingError``.
  public func encode(_ bytes: Span<UInt8>) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(bytes))
  }

  /// Encodes an image in memory.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The placeholders, and what is known of the image.
  /// - Throws: ``ImageDecodingError``.
  public func encode(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImagePlaceholders {
    try encode(bytes.span)
  }

  /// Encodes an image from an open file, reading from its current offset on.
  ///
  /// - Parameter fileDescriptor: It stays open, at an offset of no meaning.
  /// - Returns: The placeholders, and what is known of the image.
  /// - Throws: ``ImageDecodingError``.
  public func encode(fileDescriptor: Int32) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(fileDescriptor: fileDescriptor))
  }

  private func placeholders(of image: DecodedImage) -> ImagePlaceholders {
    let grid = image.grid
    let first = PackedLQIP(encoding: grid, by: lqipEncoding)
    let second = includesSecondLQIP ? PackedLQIP(encoding: grid, over: first) : nil
    let components =
      self.components ?? .auto(width: grid.sourceWidth, height: grid.sourceHeight)
    return ImagePlaceholders(
      format: image.format, width: grid.sourceWidth, height: grid.sourceHeight,
      orientation: image.orientation, hasAlpha: image.hasAlpha, isAnimated: image.isAnimated,
      blurHash: blurHashEncoding == .fitted
        ? BlurHash(fitting: grid, components: components)
        : BlurHash(encoding: grid, components: components),
      lqip: first, lqip2: second,
      averageColor: grid.averageColor, warnings: image.warnings)
  }
}
