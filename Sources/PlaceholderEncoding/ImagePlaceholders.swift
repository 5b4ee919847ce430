public import Placeholders

/// The placeholders of an image, and the properties of the image.
///
/// Its JSON form is a record of the command `lqip encode`, without the fields that describe the file. The kinds
/// `preview` and `svg` are two forms of one image, so both are present if either was requested:
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

  /// The mean color, computed in linear light.
  public let averageColor: SRGBColor

  /// Whether the file has all of the image: false if it is cut off or damaged, nil if the rest of it was not read.
  public let isComplete: Bool?

  /// The problems that did not prevent decoding, without duplicates.
  public let warnings: [String]

  /// The BlurHash; like every placeholder, nil unless its kind was requested.
  public package(set) var blurHash: BlurHash?

  /// The three or six colors of a CSS gradient preview.
  public package(set) var lqip: LQIP?

  /// The ThumbHash, a blurred preview with aspect ratio and transparency.
  public package(set) var thumbHash: ThumbHash?

  /// The tiny JPEG: a JPEG picture without its header, which is constant.
  public package(set) var tiny: TinyJPEG?

  /// The preview image, which provides the data URLs of the kinds `preview` and `svg`.
  public package(set) var preview: PreviewImage?

  /// The integer that encodes a CSS gradient preview.
  public package(set) var css: CSSInteger?

  /// The dominant colors.
  public package(set) var palette: ImagePalette?

  package init(
    format: ImageFormat, width: Int, height: Int, orientation: ImageOrientation, hasAlpha: Bool,
    isOpaque: Bool, isAnimated: Bool, frameCount: Int?, averageColor: SRGBColor,
    isComplete: Bool?, warnings: [String]
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.isOpaque = isOpaque
    self.isAnimated = isAnimated
    self.frameCount = frameCount
    self.averageColor = averageColor
    self.isComplete = isComplete
    self.warnings = warnings
  }
}

extension ImagePlaceholders {
  /// The members of a record, in the documented order, without those of kinds that were not requested; `preview` and
  /// `svg` are both present if either was requested.
  ///
  /// `byteCount` is the size of the file; nil if it is unknown.
  package func members(byteCount: Int? = nil) -> [JSON.Member] {
    var members: [JSON.Member] = []
    members.reserveCapacity(24)
    members.append(("mimetype", .string(format.mimeType)))
    if let byteCount { members.append(("bytes", .integer(byteCount))) }
    members += [
      ("width", .integer(width)), ("height", .integer(height)),
      ("orientation", .integer(orientation.rawValue)), ("has_alpha", .boolean(hasAlpha)),
      ("opaque", .boolean(isOpaque)), ("animated", .boolean(isAnimated)),
    ]
    if let frameCount { members.append(("frame_count", .integer(frameCount))) }
    for definition in PlaceholderKind.table { add(definition, to: &members) }
    members.append(("average_color", .string("\(averageColor)")))
    if let isComplete { members.append(("complete", .boolean(isComplete))) }
    members.append(("warnings", .array(warnings.map { .string($0) })))
    return members
  }

  private func add(_ definition: PlaceholderKind.Definition, to members: inout [JSON.Member]) {
    switch definition.kind {
    case .lqip:
      guard let lqip else { return }
      members.append(("lqip", .string(lqip.first.description)))
      if let second = lqip.second { members.append(("lqip2", .string(second.description))) }
    case .css: if let css { members.append(("css", .integer(css.value))) }
    case .palette: if let palette { members.append(("palette", palette.json)) }
    default:
      guard let text = definition.text(self) else { return }
      members.append((definition.kind.rawValue, .string(text)))
      guard definition.kind == .blurHash, let components = blurHash?.components else { return }
      members.append(
        ("components", .array([.integer(components.x), .integer(components.y)])))
    }
  }
}

extension ImagePalette {
  /// An array with one object per color; shares are rounded to three decimal places.
  fileprivate var json: JSON {
    .array(
      swatches.map { swatch in
        .object([
          ("color", .string("\(swatch.color)")),
          ("share", .number((Double(swatch.share) * 1000).rounded() / 1000)),
        ])
      })
  }
}

extension ImagePlaceholders: Codable {
  /// Decodes a record; unknown fields are ignored.
  ///
  /// - Throws: A `DecodingError` if a required field is missing or a field is invalid.
  public init(from decoder: any Decoder) throws {
    let record = try decoder.container(keyedBy: JSON.Key.self)
    self.init(
      format: try record.value("mimetype", ImageFormat.init(mimeType:)),
      width: try record.decode(Int.self, forKey: "width"),
      height: try record.decode(Int.self, forKey: "height"),
      orientation: try record.value("orientation", ImageOrientation.init(rawValue:)),
      hasAlpha: try record.decode(Bool.self, forKey: "has_alpha"),
      isOpaque: try record.decode(Bool.self, forKey: "opaque"),
      isAnimated: try record.decode(Bool.self, forKey: "animated"),
      frameCount: try record.decodeIfPresent(Int.self, forKey: "frame_count"),
      averageColor: try record.decode(SRGBColor.self, forKey: "average_color"),
      isComplete: try record.decodeIfPresent(Bool.self, forKey: "complete"),
      warnings: try record.decode([String].self, forKey: "warnings"))
    blurHash = try record.decodeIfPresent(BlurHash.self, forKey: "blurhash")
    lqip = try record.decodeIfPresent(LQIP.PackedColors.self, forKey: "lqip").map {
      LQIP($0, try record.decodeIfPresent(LQIP.PackedColors.self, forKey: "lqip2"))
    }
    thumbHash = try record.decodeIfPresent(ThumbHash.self, forKey: "thumbhash")
    tiny = try record.decodeIfPresent(TinyJPEG.self, forKey: "tiny")
    preview =
      try record.contains("preview") ? record.value("preview", PreviewImage.init(dataURL:)) : nil
    css = try record.decodeIfPresent(CSSInteger.self, forKey: "css")
    palette = try record.decodeIfPresent(ImagePalette.self, forKey: "palette")
  }

  /// Encodes a record, which omits the fields of kinds that were not computed.
  public func encode(to encoder: any Encoder) throws {
    try JSON.object(members()).encode(to: encoder)
  }
}
