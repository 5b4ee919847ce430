/// Options for reading an image.
public struct DecodeOptions: Sendable, Hashable {
  /// The color under transparent pixels.
  public var background: SRGBColor = .white

  /// Whether the image is turned upright by its Exif orientation.
  public var appliesOrientation: Bool = true

  /// Whether an image is decoded at its full size, and a progressive JPEG to its end.
  ///
  /// By default as little is read as a small preview needs, which changes it by less than is seen.
  public var isExact: Bool = false

  /// Whether a damaged image gives what could be decoded of it, and a warning, in place of an error.
  public var isLenient: Bool = false

  /// Whether the file is read to its end, so that damage counts which the preview does not need.
  public var verifiesWholeFile: Bool = false

  /// The defaults.
  public init() {}
}
