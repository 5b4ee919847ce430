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
        "--width", "PIXELS", { $0.width = $1 }, .integer(in: 1...maximumSide),
        help: "Set the width (default: 256)",
        details:
          "If only --height is set, the width follows from the aspect ratio. PIXELS can be at most \(maximumSide)."
      ),
      .value(
        "--height", "PIXELS", { $0.height = $1 }, .integer(in: 1...maximumSide),
        help: "Set the height (default: from the aspect ratio)",
        details: "PIXELS can be at most \(maximumSide)."),
      .value(
        "--lqip2", "LQIP", { $0.second = $1 },
        OptionValue<LQIP.PackedColors>(allowed: "'#' followed by 8 hexadecimal digits") {
          LQIP.PackedColors($0.text)
        },
        help: "Set the second value of a six-color LQIP"),
      .value(
        "--punch", "NUMBER", { $0.punch = $1 },
        OptionValue<Float>(allowed: "a number above 0, at most \(Int(maximumPunch))") { argument in
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
  ///
  /// If one side is set, the other follows from the aspect ratio. If neither is set, the width is 256 pixels.
  package func preview(
    of text: String, as kind: PreviewKind, maximumSide: Int
  ) throws(PreviewError) -> Preview {
    if let reason = conflict(with: kind) { throw .conflict(reason) }
    let placeholder: Placeholder
    do {
      placeholder = try parse(text, as: kind)
    } catch {
      throw .malformed(text, as: kind, "\(error)")
    }
    let (x, y) = placeholder.ratio
    let width = width ?? height.map { Self.scaled($0, by: x, over: y) } ?? 256
    let height = height ?? Self.scaled(width, by: y, over: x)
    let size = "\(width)x\(height)"
    guard max(width, height) <= maximumSide else {
      throw .conflict(
        "the image would be \(size) pixels, above the limit of \(maximumSide) per side; "
          + "set both 'width' and 'height'")
    }
    return Preview(description: "\(placeholder.text) \(size)") { () throws(ImageSizeError) in
      try placeholder.draw(width, height)
    }
  }

  /// A parsed placeholder: its text and settings, its aspect ratio, and the function that renders it.
  private typealias Placeholder = (
    text: String, ratio: (x: Int, y: Int),
    draw: @Sendable (_ width: Int, _ height: Int) throws(ImageSizeError) -> RGBABitmap
  )

  private func parse(_ text: String, as kind: PreviewKind) throws -> Placeholder {
    switch kind {
    case .blurHash:
      let (hash, punch) = (try BlurHash(parsing: text), punch ?? 1)
      return (
        "\(hash) \(punch)", (hash.components.x, hash.components.y),
        { width, height throws(ImageSizeError) in
          try hash.bitmap(width: width, height: height, punch: punch)
        }
      )
    case .lqip:
      let lqip = LQIP(try LQIP.PackedColors(parsing: text), second)
      return ("\(lqip)", (1, 1), lqip.bitmap)
    case .thumbHash:
      let hash = try ThumbHash(parsing: text)
      let (x, y) = hash.bitmapSize
      return ("thumbhash \(hash)", (x, y), hash.bitmap)
    case .tiny:
      let tiny = try TinyJPEG(parsing: text)
      return ("tiny \(tiny)", (1, 1), tiny.bitmap)
    case .css:
      let integer = try CSSInteger(parsing: text)
      return ("css \(integer)", (3, 2), integer.bitmap)
    }
  }

  private static func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}
