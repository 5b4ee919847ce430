/// What the decoding of an image gives: its grid, and what its file says of it.
public struct DecodedImage: Sendable, Hashable {
  /// What the first bytes of the file say.
  public let format: ImageFormat

  /// The image as it lies in its file, or upright if that was asked for.
  public let grid: PixelGrid

  /// How the file says the image is to be turned.
  let turn: Orientation

  /// Whether the format's samples include transparency, be it used or not.
  public let hasAlpha: Bool

  /// Whether the image is the default one of an animation.
  public let isAnimated: Bool

  /// What the codec found odd, each kind once.
  public let warnings: [String]

  /// How the file says the image is to be turned: Exif's 1...8, 1 where it says nothing.
  public var orientation: Int { turn.rawValue }

  /// The image, turned as the file says.
  var upright: DecodedImage {
    DecodedImage(
      format: format, grid: grid.oriented(turn), turn: turn, hasAlpha: hasAlpha,
      isAnimated: isAnimated, warnings: warnings)
  }
}
