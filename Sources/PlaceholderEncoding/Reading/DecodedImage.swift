public import Placeholders

/// A decoded image: its grid, and what its file says about it.
public struct DecodedImage: Sendable, Hashable {
  /// What the first bytes of the file say.
  public let format: ImageFormat

  /// The image as it lies in its file, or upright if that was asked for.
  public let grid: PixelGrid

  /// How the file says the image is to be turned; ``/Placeholders/Orientation/up`` where it says nothing.
  public let orientation: Orientation

  /// Whether the format's samples include transparency, be it used or not.
  public let hasAlpha: Bool

  /// Whether the image is the default one of an animation.
  public let isAnimated: Bool

  /// The frames of an animation, up to 65,536, as a PNG image promises them; nil for all others.
  public let frameCount: Int?

  /// Harmless defects that the codec reported, each kind once.
  public let warnings: [String]

  init(_ header: ImageHeader, grid: PixelGrid, warnings: [String]) {
    format = header.format
    self.grid = grid
    orientation = header.orientation
    hasAlpha = header.hasAlpha
    isAnimated = header.isAnimated
    frameCount = header.frameCount
    self.warnings = warnings
  }
}
