public import Placeholders

/// The placeholders of an image, and its properties.
public struct ImagePlaceholders: Sendable, Hashable {
  /// What the first bytes of the file say.
  public let format: ImageFormat

  /// Pixels across, of the upright image.
  public let width: Int

  /// Pixels down, of the upright image.
  public let height: Int

  /// How the file says the image is to be turned; ``/Placeholders/Orientation/up`` where it says nothing.
  public let orientation: Orientation

  /// Whether the format's samples include transparency, be it used or not.
  public let hasAlpha: Bool

  /// Whether every pixel is opaque, whatever the format would allow.
  public let isOpaque: Bool

  /// Whether the image is the default one of an animation.
  public let isAnimated: Bool

  /// The frames of an animation, up to 65,536, as a PNG image promises them; nil for all others.
  public let frameCount: Int?

  /// The blurred preview as text; this and the others are nil where their kind was not asked for.
  public let blurHash: BlurHash?

  /// The three colors for a preview by CSS alone.
  public let lqip: PackedLQIP?

  /// Three more colors to be laid over the first, if they were asked for.
  public let lqip2: PackedLQIP?

  /// The blurred preview with shape and transparency.
  public let thumbHash: ThumbHash?

  /// The preview that is an image itself, in a data URL or in an SVG.
  public let preview: PreviewImage?

  /// The integer for a preview by CSS alone.
  public let integerLQIP: IntegerLQIP?

  /// The colors that the image is mostly made of.
  public let palette: Palette?

  /// The mean color, averaged in linear light.
  public let averageColor: SRGBColor

  /// Harmless defects of the file, each kind once.
  public let warnings: [String]

  /// Takes what an encoder would give, for tests and for placeholders that come from elsewhere.
  public init(
    format: ImageFormat, width: Int, height: Int, orientation: Orientation = .up,
    hasAlpha: Bool = false, isOpaque: Bool = true, isAnimated: Bool = false,
    frameCount: Int? = nil, blurHash: BlurHash? = nil, lqip: PackedLQIP? = nil,
    lqip2: PackedLQIP? = nil,
    thumbHash: ThumbHash? = nil, preview: PreviewImage? = nil, integerLQIP: IntegerLQIP? = nil,
    palette: Palette? = nil, averageColor: SRGBColor, warnings: [String] = []
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.isOpaque = isOpaque
    self.isAnimated = isAnimated
    self.frameCount = frameCount
    self.blurHash = blurHash
    self.lqip = lqip
    self.lqip2 = lqip2
    self.thumbHash = thumbHash
    self.preview = preview
    self.integerLQIP = integerLQIP
    self.palette = palette
    self.averageColor = averageColor
    self.warnings = warnings
  }
}
