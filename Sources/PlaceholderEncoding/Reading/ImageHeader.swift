internal import Placeholders

/// What a file says of its image, apart from the pixels.
struct ImageHeader {
  let format: ImageFormat

  /// Pixels across, as stored.
  let width: Int

  /// Pixels down, as stored.
  let height: Int

  /// How the stored image is to be turned.
  let orientation: Orientation

  /// Whether the format's samples include transparency, be it used or not.
  let hasAlpha: Bool

  /// Whether the image is the default one of an animation.
  let isAnimated: Bool

  /// The frames of an animation, where the file has more than one.
  var frameCount: Int?
}
