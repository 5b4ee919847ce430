import LqipSystem
package import PlaceholderEncoding

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
  static func malformed(_ text: String, as kind: PreviewKind, _ reason: String) -> Self {
    .malformed("malformed \(kind.title) \(quoted(text)): \(reason)")
  }

  /// Creates the error for text whose kind cannot be detected.
  package static func unrecognized(_ text: String) -> Self {
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
