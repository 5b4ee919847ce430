public import Placeholders

/// The placeholders of an image, and the properties of the image.
///
/// Its JSON form is a record of the command `lqip encode`, without the fields that describe the file:
///
/// ```swift
/// import Foundation
///
/// let placeholders = try PlaceholderEncoder().encode(bytes)
/// let json = try JSONEncoder().encode(placeholders)
/// let copy = try JSONDecoder().decode(ImagePlaceholders.self, from: json)
/// print(copy == placeholders)
/// ```
public struct ImagePlaceholders: Sendable, Hashable {
  /// The format, detected from the first bytes of the file.
  public let format: ImageFormat

  /// The width of the upright image in pixels.
  public let width: Int

  /// The height of the upright image in pixels.
  public let height: Int

  /// The Exif orientation in the file; ``/Placeholders/ImageOrientation/up`` if the file has none.
  public let orientation: ImageOrientation

  /// Whether the file has an alpha channel or a transparent color, even if all pixels are opaque.
  public let hasAlpha: Bool

  /// Whether every pixel is opaque.
  public let isOpaque: Bool

  /// Whether the file is an animation.
  ///
  /// Only the first frame is decoded. For PNG, that is the default image if the first frame is partial.
  public let isAnimated: Bool

  /// The number of frames, at most 65,536; nil for a still image.
  ///
  /// For PNG, the number comes from the header. For other formats, the frames are counted.
  public let frameCount: Int?

  /// The BlurHash; like every placeholder, nil unless its kind was requested.
  public let blurHash: BlurHash?

  /// The three or six colors of a CSS gradient preview.
  public let lqip: LQIP?

  /// The ThumbHash, a blurred preview with aspect ratio and transparency.
  public let thumbHash: ThumbHash?

  /// The tiny JPEG: a JPEG picture without its header, which is constant.
  public let tiny: TinyJPEG?

  /// The preview image, which provides the data URLs of the kinds `preview` and `svg`.
  public let preview: PreviewImage?

  /// The integer that encodes a CSS gradient preview.
  public let css: CSSInteger?

  /// The dominant colors.
  public let palette: ImagePalette?

  /// The mean color, computed in linear light.
  public let averageColor: SRGBColor

  /// Whether the file has all of the image: false if it is cut off or damaged, nil if the rest of it was not read.
  public let isComplete: Bool?

  /// The problems that did not prevent decoding, without duplicates.
  public let warnings: [String]

  package init(
    format: ImageFormat, width: Int, height: Int, orientation: ImageOrientation = .up,
    hasAlpha: Bool = false, isOpaque: Bool = true, isAnimated: Bool = false,
    frameCount: Int? = nil, blurHash: BlurHash? = nil, lqip: LQIP? = nil,
    thumbHash: ThumbHash? = nil, tiny: TinyJPEG? = nil, preview: PreviewImage? = nil,
    css: CSSInteger? = nil,
    palette: ImagePalette? = nil, averageColor: SRGBColor, isComplete: Bool? = nil,
    warnings: [String] = []
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
    self.thumbHash = thumbHash
    self.tiny = tiny
    self.preview = preview
    self.css = css
    self.palette = palette
    self.averageColor = averageColor
    self.isComplete = isComplete
    self.warnings = warnings
  }
}

extension ImagePlaceholders: Codable {
  private enum CodingKeys: String, CodingKey {
    case mimeType = "mimetype"
    case width, height, orientation
    case hasAlpha = "has_alpha"
    case isOpaque = "opaque"
    case isAnimated = "animated"
    case frameCount = "frame_count"
    case blurHash = "blurhash"
    case components, lqip, lqip2
    case thumbHash = "thumbhash"
    case tiny, preview, svg
    case css, palette
    case averageColor = "average_color"
    case isComplete = "complete"
    case warnings
  }

  /// Decodes a record; unknown fields are ignored.
  ///
  /// - Throws: A `DecodingError` if a required field is missing or a field is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value>(_ key: CodingKeys, _ value: Value?) throws -> Value {
      guard let value else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "invalid value")
      }
      return value
    }
    let mimeType = try container.decode(String.self, forKey: .mimeType)
    let orientation = try container.decode(Int.self, forKey: .orientation)
    let lqip = try container.decodeIfPresent(LQIP.PackedColors.self, forKey: .lqip)
    let lqip2 = try container.decodeIfPresent(LQIP.PackedColors.self, forKey: .lqip2)
    let preview = try container.decodeIfPresent(String.self, forKey: .preview)
    let width = try container.decode(Int.self, forKey: .width)
    let height = try container.decode(Int.self, forKey: .height)
    self.init(
      format: try value(.mimeType, ImageFormat(mimeType: mimeType)),
      width: width, height: height,
      orientation: try value(.orientation, ImageOrientation(rawValue: orientation)),
      hasAlpha: try container.decode(Bool.self, forKey: .hasAlpha),
      isOpaque: try container.decode(Bool.self, forKey: .isOpaque),
      isAnimated: try container.decode(Bool.self, forKey: .isAnimated),
      frameCount: try container.decodeIfPresent(Int.self, forKey: .frameCount),
      blurHash: try container.decodeIfPresent(BlurHash.self, forKey: .blurHash),
      lqip: lqip.map { LQIP($0, lqip2) },
      thumbHash: try container.decodeIfPresent(ThumbHash.self, forKey: .thumbHash),
      tiny: try container.decodeIfPresent(TinyJPEG.self, forKey: .tiny),
      preview: try preview.map { try value(.preview, PreviewImage(dataURL: $0)) },
      css: try container.decodeIfPresent(CSSInteger.self, forKey: .css),
      palette: try container.decodeIfPresent(ImagePalette.self, forKey: .palette),
      averageColor: try container.decode(SRGBColor.self, forKey: .averageColor),
      isComplete: try container.decodeIfPresent(Bool.self, forKey: .isComplete),
      warnings: try container.decode([String].self, forKey: .warnings))
  }

  /// Encodes a record, which omits the fields of kinds that were not requested.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format.mimeType, forKey: .mimeType)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encode(orientation.rawValue, forKey: .orientation)
    try container.encode(hasAlpha, forKey: .hasAlpha)
    try container.encode(isOpaque, forKey: .isOpaque)
    try container.encode(isAnimated, forKey: .isAnimated)
    try container.encodeIfPresent(frameCount, forKey: .frameCount)
    try container.encodeIfPresent(blurHash, forKey: .blurHash)
    let components = blurHash.map { [$0.components.x, $0.components.y] }
    try container.encodeIfPresent(components, forKey: .components)
    try container.encodeIfPresent(lqip?.first, forKey: .lqip)
    try container.encodeIfPresent(lqip?.second, forKey: .lqip2)
    try container.encodeIfPresent(thumbHash, forKey: .thumbHash)
    try container.encodeIfPresent(tiny?.description, forKey: .tiny)
    try container.encodeIfPresent(preview?.dataURL, forKey: .preview)
    try container.encodeIfPresent(preview?.svgDataURL, forKey: .svg)
    try container.encodeIfPresent(css, forKey: .css)
    try container.encodeIfPresent(palette, forKey: .palette)
    try container.encode(averageColor, forKey: .averageColor)
    try container.encodeIfPresent(isComplete, forKey: .isComplete)
    try container.encode(warnings, forKey: .warnings)
  }
}
