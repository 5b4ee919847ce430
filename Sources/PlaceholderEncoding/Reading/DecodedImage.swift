public import Placeholders

/// An image decoded by ``ImageDecoder``: its grid, and the properties of its file.
public struct DecodedImage: Sendable, Hashable {
  /// The format, detected from the first bytes of the file.
  public let format: ImageFormat

  /// The averaged pixels, upright unless ``ImageDecoder/Options/appliesOrientation`` is false.
  public let grid: PixelGrid

  /// The Exif orientation in the file; ``/Placeholders/ImageOrientation/up`` if it has none.
  public let orientation: ImageOrientation

  /// Whether the file has an alpha channel or a transparent color, even if all pixels are opaque.
  public let hasAlpha: Bool

  /// Whether the file is an animation; only its default image is decoded.
  public let isAnimated: Bool

  /// The number of frames, at most 65,536; nil for a still image.
  ///
  /// For PNG, it is the number in the header. The frames of other formats are counted.
  public let frameCount: Int?

  /// The defects of the file that did not prevent decoding, without duplicates.
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
