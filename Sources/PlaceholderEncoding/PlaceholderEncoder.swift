// Clients of this module also use the types of Placeholders, so one import is enough.
@_exported public import Placeholders

/// An encoder that generates the placeholders of an image from its file.
///
/// The image is decoded once, into a grid of at most 128 × 128 cells, from which all placeholders are computed.
///
/// ```swift
/// var options = PlaceholderEncoder.Options()
/// options.kinds = [.blurHash, .preview]
/// options.blurHash.method = .fitted
/// let placeholders = try PlaceholderEncoder(options).encode(bytes)
/// print(placeholders.blurHash?.description ?? "", placeholders.preview?.dataURL ?? "")
/// ```
public struct PlaceholderEncoder: Sendable, Hashable {
  /// The version of the algorithms, incremented whenever placeholders may change.
  public static let algorithmVersion: Int = 16

  /// Options for an encoder: the placeholder kinds, the options of each kind, and the options for decoding.
  public struct Options: Sendable, Hashable {
    /// The placeholder kinds to generate, in any order; other kinds are not computed.
    public var kinds: [PlaceholderKind] = [.blurHash, .lqip]
    /// The options for a BlurHash.
    public var blurHash: BlurHashOptions = BlurHashOptions()
    /// The options for an LQIP.
    public var lqip: LQIPOptions = LQIPOptions()
    /// The options for a tiny JPEG.
    public var tiny: TinyJPEGOptions = TinyJPEGOptions()
    /// The options for a preview image.
    public var preview: PreviewImage.Options = PreviewImage.Options()
    /// The options for decoding.
    public var decoding: ImageDecoder.Options = ImageDecoder.Options()
    /// The limits on decoding one image.
    public var limits: ImageDecoder.Limits = ImageDecoder.Limits()

    /// Creates options with the default values.
    public init() {}

    fileprivate var hasPreview: Bool { kinds.contains(.preview) || kinds.contains(.svg) }
  }

  /// Options for a BlurHash.
  public struct BlurHashOptions: Sendable, Hashable {
    /// The number of cosine terms along each axis.
    public var components: BlurHash.Components = .auto
    /// The method of computing the terms.
    public var method: BlurHash.Method = .reference
  }

  /// Options for an LQIP.
  public struct LQIPOptions: Sendable, Hashable {
    /// The method of computing the colors, which also determines their number.
    public var method: LQIP.Method = .fitted
  }

  /// Options for a tiny JPEG.
  public struct TinyJPEGOptions: Sendable, Hashable {
    /// The maximum size in bytes before padding, clamped to ``/Placeholders/TinyJPEG/byteCounts``.
    public var maximumByteCount: Int = TinyJPEG.byteCounts.upperBound
  }

  /// The options of the encoder.
  public var options: Options

  /// Creates an encoder.
  public init(_ options: Options = Options()) {
    self.options = options
  }

  /// Encodes an image in memory.
  ///
  /// - Parameter bytes: The complete file.
  /// - Returns: The placeholders, and the properties of the image.
  /// - Throws: ``ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  /// - Complexity: That of ``ImageDecoder/decode(_:)-(Span<UInt8>)``, plus that of encoding each placeholder.
  public func encode(_ bytes: Span<UInt8>) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(bytes))
  }

  /// Encodes an image in memory.
  ///
  /// - Parameter bytes: The complete file.
  /// - Returns: The placeholders, and the properties of the image.
  /// - Throws: ``ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  /// - Complexity: That of ``PlaceholderEncoder/encode(_:)-(Span<UInt8>)``.
  public func encode(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(bytes))
  }

  /// Encodes an image from a pipe, a socket, or an open file, which is read from its current offset.
  ///
  /// - Parameter fileDescriptor: The descriptor, which stays open. Its offset is unspecified afterwards.
  /// - Returns: The placeholders, and the properties of the image.
  /// - Throws: ``ImageDecodingError`` if the image cannot be read or decoded, or exceeds a limit.
  /// - Complexity: That of ``ImageDecoder/decode(fileDescriptor:)``, plus that of encoding each placeholder.
  public func encode(fileDescriptor: Int32) throws(ImageDecodingError) -> ImagePlaceholders {
    placeholders(of: try decoder.decode(fileDescriptor: fileDescriptor))
  }

  package var decoder: ImageDecoder {
    var decoder = ImageDecoder(options: options.decoding, limits: options.limits)
    decoder.copiesFlatPixels = options.hasPreview
    return decoder
  }

  package func placeholders(of image: DecodedImage) -> ImagePlaceholders {
    let grid = image.grid
    var placeholders = ImagePlaceholders(
      format: image.format, width: grid.sourceWidth, height: grid.sourceHeight,
      orientation: image.orientation, hasAlpha: image.hasAlpha, isOpaque: grid.isOpaque,
      isAnimated: image.isAnimated, frameCount: image.frameCount, averageColor: grid.averageColor,
      isComplete: image.isComplete, warnings: image.warnings)
    var source = PlaceholderSource(image, options)
    for definition in PlaceholderKind.table where options.kinds.contains(definition.kind) {
      definition.compute(&source, &placeholders)
    }
    return placeholders
  }
}
