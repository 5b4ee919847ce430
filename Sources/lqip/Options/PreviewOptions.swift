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
  package func conflict(with kind: PlaceholderKind) -> String? {
    if punch != nil, kind != .blurHash {
      return "'punch' applies to BlurHash only, not to this \(kind.definition.title)"
    }
    if second != nil, kind != .lqip {
      return "'lqip2' applies to LQIP only, not to this \(kind.definition.title)"
    }
    return nil
  }

  /// Parses a placeholder and determines the size of its preview, at most `maximumSide` pixels per side.
  ///
  /// If one side is set, the other follows from the aspect ratio. If neither is set, the width is 256 pixels, or less if
  /// the height would exceed `maximumSide`.
  package func preview(
    of text: String, as kind: PlaceholderKind, maximumSide: Int
  ) throws(PreviewError) -> Preview {
    if let reason = conflict(with: kind) { throw .conflict(reason) }
    let placeholder: any DrawnPlaceholder
    do {
      placeholder = try parse(text, as: kind)
    } catch {
      throw .malformed(text, as: kind, "\(error)")
    }
    let (x, y) = placeholder.previewRatio
    let width =
      width ?? height.map { Self.scaled($0, by: x, over: y) }
      ?? max(1, min(256, maximumSide * x / y))
    let height = height ?? Self.scaled(width, by: y, over: x)
    let size = "\(width)x\(height)"
    guard max(width, height) <= maximumSide else {
      throw .conflict(
        "the image would be \(size) pixels, above the limit of \(maximumSide) per side; "
          + "set both 'width' and 'height'")
    }
    let punch = punch ?? 1
    return Preview(description: "\(kind.rawValue) \(placeholder) \(punch) \(size)") {
      () throws(ImageSizeError) in
      if let hash = placeholder as? BlurHash {
        return try hash.bitmap(width: width, height: height, punch: punch)
      }
      return try placeholder.bitmap(width: width, height: height)
    }
  }

  private func parse(_ text: String, as kind: PlaceholderKind) throws -> any DrawnPlaceholder {
    if kind == .lqip { return LQIP(try LQIP.PackedColors(parsing: text), second) }
    guard let placeholder = try kind.definition.parse?(text) else {
      preconditionFailure("kind \(kind) cannot be rendered")
    }
    return placeholder
  }

  private static func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}

/// A valid placeholder that is ready to be rendered at a size in pixels.
package struct Preview: CustomStringConvertible, Sendable {
  /// Text that identifies the rendered image: the placeholder, the size and the settings.
  package let description: String
  /// Renders the image.
  package let bitmap: @Sendable () throws(ImageSizeError) -> RGBABitmap
}

extension Preview {
  /// Returns whether the first bytes of a file match `png`, a preview written by lqip, except for the size and the
  /// pixels of the image.
  package static func isOutput(_ beginning: [UInt8], like png: [UInt8]) -> Bool {
    guard let mark = png.firstRange(of: Array("IDAT".utf8)), beginning.count >= mark.upperBound
    else { return false }
    // Excludes the width, the height, their checksum and the length of the compressed pixels.
    let fixed = [0..<16, 24..<29, 33..<(mark.lowerBound - 4), mark]
    return fixed.allSatisfy { beginning[$0] == png[$0] }
  }
}

/// The reason that a placeholder cannot be rendered, with a message for the user.
package enum PreviewError: Error, Hashable, Sendable {
  /// The text is not a valid placeholder.
  case malformed(String)
  /// The options do not apply to the placeholder, or the preview would be too large.
  case conflict(String)
}

extension PreviewError {
  /// The maximum length of quoted text: the length of the longest BlurHash.
  private static let maximumQuotedLength = 4 + 2 * 81

  /// Creates the error for text that is not a valid placeholder of the given kind.
  static func malformed(_ text: String, as kind: PlaceholderKind, _ reason: String) -> Self {
    guard text.withoutBlanksAround == nil else { return unrecognized(text) }
    return .malformed("malformed \(kind.definition.title) \(quoted(text)): \(reason)")
  }

  /// Creates the error for text whose kind cannot be detected.
  package static func unrecognized(_ text: String) -> Self {
    if text.withoutBlanksAround != nil {
      return .malformed("unknown placeholder \(quoted(text)): remove the blanks around it")
    }
    if let hash = text.recodedThumbHash {
      return .malformed(
        "unknown placeholder \(quoted(text)) (did you mean the ThumbHash '\(hash)'?)")
    }
    if text.isUnmarkedLQIP {
      return .malformed("unknown placeholder \(quoted(text)) (did you mean the LQIP '#\(text)'?)")
    }
    if text.hasPrefix("data:") {
      return .malformed(
        "\(quoted(text)): data URLs need no decoding; browsers display them directly")
    }
    return .malformed(
      "unknown placeholder \(quoted(text)): expected a BlurHash, a ThumbHash or tiny JPEG in base64, "
        + "an LQIP such "
        + "as '#ccd94c11' or a CSS integer such as 192900; pass --kind KIND for a detailed error")
  }

  private static func quoted(_ text: String) -> String {
    let beginning = text.prefix(maximumQuotedLength)
    let rest = beginning.endIndex == text.endIndex ? "" : "…"
    return "'\(FilePath(String(beginning)).description)\(rest)'"
  }
}
