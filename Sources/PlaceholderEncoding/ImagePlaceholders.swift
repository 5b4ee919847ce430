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

  /// Whether the image is the default one of an animation.
  public let isAnimated: Bool

  /// The blurred preview as text.
  public let blurHash: BlurHash

  /// The three colors for a preview by CSS alone.
  public let lqip: PackedLQIP

  /// Three more colors to be laid over the first, if they were asked for.
  public let lqip2: PackedLQIP?

  /// The mean color, averaged in linear light.
  public let averageColor: SRGBColor

  /// Harmless defects of the file, each kind once.
  public let warnings: [String]

  /// Takes what an encoder would give, for tests and for placeholders that come from elsewhere.
  public init(
    format: ImageFormat, width: Int, height: Int, orientation: Orientation = .up,
    hasAlpha: Bool = false, isAnimated: Bool = false, blurHash: BlurHash, lqip: PackedLQIP,
    lqip2: PackedLQIP? = nil, averageColor: SRGBColor, warnings: [String] = []
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.isAnimated = isAnimated
    self.blurHash = blurHash
    self.lqip = lqip
    self.lqip2 = lqip2
    self.averageColor = averageColor
    self.warnings = warnings
  }
}
