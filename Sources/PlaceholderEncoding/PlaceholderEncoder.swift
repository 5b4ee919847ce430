/// Encodes the bytes of an image into all its placeholders.
///
/// The image is decoded once into a small grid, and everything is computed from that.
public struct PlaceholderEncoder: Sendable, Hashable {
  /// Grows whenever the same image may give other placeholders than before.
  public static let algorithmVersion: Int = 10

  /// How images are decoded.
  public var decoder: ImageDecoder

  /// What is made of an image; the rest costs nothing.
  public var kinds: Set<PlaceholderKind>

  /// The terms of a BlurHash; nil to choose them by the image's shape.
  public var components: ComponentCount?

  /// How these terms are chosen.
  public var blurHashEncoding: BlurHashEncoding

  /// How the three colors of an LQIP are chosen.
  public var lqipEncoding: LQIPEncoding

  /// Whether three more colors are looked for, to be laid over the first.
  public var includesSecondLQIP: Bool

  /// The most bytes of a preview's data URL; from ``PreviewImage/minimumByteCount`` on.
  public var previewByteCount: Int

  /// What is made without a choice.
  public static let defaultKinds: Set<PlaceholderKind> = [.blurHash, .lqip]

  /// Creates an encoder.
  public init(
    options: DecodeOptions = DecodeOptions(), limits: DecodeLimits = DecodeLimits(),
    kinds: Set<PlaceholderKind> = Self.defaultKinds, components: ComponentCount? = nil,
    blurHashEncoding: BlurHashEncoding = .reference,
    lqipEncoding: LQIPEncoding = .fitted, includesSecondLQIP: Bool = false,
    previewByteCount: Int = PreviewImage.defaultByteCount
  ) {
    self.decoder = ImageDecoder(options: options, limits: limits)
    self.kinds = kinds
    self.components = components
    self.blurHashEncoding = blurHashEncoding
    self.lqipEncoding = lqipEncoding
    self.includesSecondLQIP = includesSecondLQIP
    self.previewByteCount = previewByteCount
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
    placeholders(of: try decoder.decode(bytes))
  }

  /// Encodes an image from an open file, reading from its current offset on.
  ///
  /// - Parameter fileDescriptor: It stays open, at an offset of no meaning.
  /// - Returns: The placeholders, and what is known of the image.
  /// - Throws: ``ImageDecodingError``.
  public func encode(fileDescriptor: Int32) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(fileDescriptor: fileDescriptor))
  }

  /// Encodes an image from a file of a known size by `pread` alone, for a process that may do nothing else.
  package func encode(
    file descriptor: Int32, byteCount: Int
  ) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(file: descriptor, byteCount: byteCount))
  }

  private func placeholders(of image: DecodedImage) -> ImagePlaceholders {
    let grid = image.grid
    // A thumbnail has no alpha.
    lazy var thumbnail = grid.isOpaque ? grid.thumbnail : grid
    let lqip =
      kinds.contains(.lqip)
      ? PackedLQIP(encoding: lqipEncoding == .fitted ? thumbnail : grid, by: lqipEncoding) : nil
    let hasPreview = !kinds.isDisjoint(with: [.preview, .svg])
    return ImagePlaceholders(
      format: image.format, width: grid.sourceWidth, height: grid.sourceHeight,
      orientation: image.orientation, hasAlpha: image.hasAlpha, isOpaque: grid.isOpaque,
      isAnimated: image.isAnimated, frameCount: image.frameCount,
      blurHash: kinds.contains(.blurHash) ? blurHash(of: grid) : nil,
      lqip: lqip,
      lqip2: includesSecondLQIP ? lqip.flatMap { PackedLQIP(encoding: thumbnail, over: $0) } : nil,
      thumbHash: kinds.contains(.thumbHash) ? ThumbHash(encoding: grid) : nil,
      preview: hasPreview ? PreviewImage(grid, upTo: previewByteCount) : nil,
      integerLQIP: kinds.contains(.css) ? IntegerLQIP(fitting: thumbnail) : nil,
      palette: kinds.contains(.palette) ? Palette(thumbnail) : nil,
      averageColor: grid.averageColor, warnings: image.warnings)
  }

  private func blurHash(of grid: PixelGrid) -> BlurHash {
    let components =
      self.components ?? .auto(width: grid.sourceWidth, height: grid.sourceHeight)
    return blurHashEncoding == .fitted
      ? BlurHash(fitting: grid, components: components)
      : BlurHash(encoding: grid, components: components)
  }
}
