internal import LqipFiles

/// Why a placeholder string cannot be drawn; the messages are for people.
package enum PreviewError: Error, Hashable, Sendable {
  /// The text is not such a string.
  case malformed(String)
  /// The string and how it is to be drawn do not fit together.
  case conflict(String)
}

extension PreviewError {
  /// As long as the longest BlurHash, so that any that is nearly one is quoted whole.
  private static let maximumQuotedLength = 4 + 2 * 81

  /// A text that is not what it is to be.
  static func malformed(_ text: String, as kind: PreviewKind, _ reason: String) -> Self {
    .malformed("malformed \(kind.title) \(quoted(text)): \(reason)")
  }

  /// A text that could be anything.
  package static func unrecognized(_ text: String) -> Self {
    if text.isUnmarkedLQIP {
      return .malformed("unknown placeholder \(quoted(text)) (did you mean the LQIP '#\(text)'?)")
    }
    if text.hasPrefix("data:") {
      return .malformed(
        "\(quoted(text)): data URLs need no decoding; browsers display them directly")
    }
    return .malformed(
      "unknown placeholder \(quoted(text)): expected a BlurHash, a ThumbHash in base64, an LQIP such "
        + "as '#ccd94c11' or a CSS integer such as 192900; pass --kind KIND for a specific "
        + "error")
  }

  private static func quoted(_ text: String) -> String {
    let beginning = text.prefix(maximumQuotedLength)
    let rest = beginning.endIndex == text.endIndex ? "" : "…"
    return "'\(FilePath(String(beginning)).description)\(rest)'"
  }
}
