public import Placeholders

/// An image decoded by ``ImageDecoder``: its grid, and the properties of its file.
public struct DecodedImage: Sendable, Hashable {
  /// The format, detected from the first bytes of the file.
  public let format: ImageFormat

  /// The averaged pixels, upright unless ``ImageDecoder/Options/appliesOrientation`` is false.
  public let grid: PixelGrid

  /// The Exif orientation in the file; ``/Placeholders/ImageOrientation/up`` if the file has none.
  public let orientation: ImageOrientation

  /// Whether the file has an alpha channel or a transparent color, even if all pixels are opaque.
  public let hasAlpha: Bool

  /// Whether the file is an animation.
  ///
  /// Only the first frame is decoded; for PNG, the default image.
  public let isAnimated: Bool

  /// The number of frames, at most 65,536; nil for a still image.
  ///
  /// For PNG, the number comes from the header. For other formats, the frames are counted.
  public let frameCount: Int?

  /// The problems that did not prevent decoding, without duplicates.
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
