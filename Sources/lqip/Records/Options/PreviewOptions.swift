import LqipSystem
package import PlaceholderEncoding

/// The options for rendering a placeholder.
package struct PreviewOptions: Hashable, Sendable {
  /// The width and height in pixels; `nil` to derive one from the other, or both from the default width.
  package var width: Int?
  package var height: Int?
  /// The contrast factor of a BlurHash; `nil` for 1.
  package var punch: Float?
  /// The second value of a six-color LQIP.
  package var second: LQIP.PackedColors?

  package init() {}

  /// The maximum contrast factor, far above useful values.
  private static let maximumPunch: Double = 100

  /// Returns the option table for images of up to `maximumSide` pixels per side.
  package static func table(maximumSide: Int) -> [CommandOption<Self>] {
    [
      .value(
        "--width", "PIXELS", \.width, .integer(in: 1...maximumSide),
        help: "Set the width (default: 256)",
        details:
          "If only --height is set, the width follows from the aspect ratio. PIXELS can be at most \(maximumSide)."
      ),
      .value(
        "--height", "PIXELS", \.height, .integer(in: 1...maximumSide),
        help: "Set the height (default: from the aspect ratio)",
        details: "PIXELS can be at most \(maximumSide)."),
      .value(
        "--lqip2", "LQIP", \.second,
        OptionValue(allowed: "'#' followed by 8 hexadecimal digits") { LQIP.PackedColors($0.text) },
        help: "Set the second value of a six-color LQIP"),
      .value(
        "--punch", "NUMBER", \.punch,
        OptionValue(allowed: "a number above 0, at most \(Int(maximumPunch))") { argument in
          // As a `Float`, a slightly larger value would round to the maximum.
          positiveNumber(argument.text, upTo: maximumPunch).map(Float.init).flatMap {
            $0 > 0 ? $0 : nil
          }
        },
        help: "Set the contrast of a BlurHash (default: 1)",
        details:
          "Values above 1 increase the contrast; values below 1 reduce it. NUMBER is at most "
          + "\(Int(maximumPunch))."),
    ]
  }

  /// Returns an error message if an option does not apply to the kind of placeholder; otherwise `nil`.
  package func conflict(with kind: PreviewKind) -> String? {
    if punch != nil, kind != .blurHash {
      return "'punch' applies to BlurHash only, not to this \(kind.title)"
    }
    if second != nil, kind != .lqip {
      return "'lqip2' applies to LQIP only, not to this \(kind.title)"
    }
    return nil
  }

  /// Parses a placeholder and determines the size of its preview, at most `maximumSide` pixels per side.
  package func preview(
    of text: String, as kind: PreviewKind, maximumSide: Int
  ) throws(PreviewError) -> Preview {
    if let reason = conflict(with: kind) { throw .conflict(reason) }
    do {
      return try parsedPreview(of: text, as: kind, maximumSide)
    } catch let error as PreviewError {
      throw error
    } catch {
      throw .malformed(text, as: kind, "\(error)")
    }
  }

  private func parsedPreview(
    of text: String, as kind: PreviewKind, _ maximumSide: Int
  ) throws -> Preview {
    switch kind {
    case .blurHash:
      let hash = try BlurHash(parsing: text)
      let size = try size(ratio: hash.components.x, hash.components.y, maximumSide: maximumSide)
      let punch = punch ?? 1
      return Preview(description: "\(hash) \(size) \(punch)") { () throws(ImageSizeError) in
        try hash.bitmap(width: size.width, height: size.height, punch: punch)
      }
    case .lqip:
      let lqip = LQIP(try LQIP.PackedColors(parsing: text), second)
      let size = try size(ratio: 1, 1, maximumSide: maximumSide)
      let others = lqip.second?.description ?? ""
      return Preview(description: "\(lqip.first) \(size) \(others)") {
        () throws(ImageSizeError) in try lqip.bitmap(width: size.width, height: size.height)
      }
    case .thumbHash:
      let hash = try ThumbHash(parsing: text)
      let (x, y) = hash.bitmapSize
      let size = try size(ratio: x, y, maximumSide: maximumSide)
      return Preview(description: "thumbhash \(hash) \(size)") { () throws(ImageSizeError) in
        try hash.bitmap(width: size.width, height: size.height)
      }
    case .tiny:
      let tiny = try TinyJPEG(parsing: text)
      let size = try size(ratio: 1, 1, maximumSide: maximumSide)
      return Preview(description: "tiny \(tiny) \(size)") { () throws(ImageSizeError) in
        try tiny.bitmap(width: size.width, height: size.height)
      }
    case .css:
      let integer = try CSSInteger(parsing: text)
      let size = try size(ratio: 3, 2, maximumSide: maximumSide)
      return Preview(description: "css \(integer) \(size)") { () throws(ImageSizeError) in
        try integer.bitmap(width: size.width, height: size.height)
      }
    }
  }

  /// A size in pixels, such as `256x128`.
  private struct Size: CustomStringConvertible {
    let width: Int
    let height: Int
    var description: String { "\(width)x\(height)" }
  }

  /// Returns the size of the preview; if only one side is set, the other follows from the aspect ratio.
  ///
  /// If neither side is set, the width is 256 pixels.
  private func size(
    ratio x: Int, _ y: Int, maximumSide: Int
  ) throws(PreviewError) -> Size {
    let width = width ?? height.map { Self.scaled($0, by: x, over: y) } ?? 256
    let size = Size(width: width, height: height ?? Self.scaled(width, by: y, over: x))
    guard max(size.width, size.height) <= maximumSide else {
      throw .conflict(
        "the image would be \(size) pixels, above the limit of \(maximumSide) per side; "
          + "set both 'width' and 'height'")
    }
    return size
  }

  private static func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}
