package import PlaceholderEncoding

extension PlaceholderKind {
  /// The length of a BlurHash that begins with `#`: as a size flag, `#` means 9x7 components.
  private static let numberSignBlurHashLength = 4 + 2 * 9 * 7

  /// Detects the kind of a placeholder, even if it is malformed; `nil` if the kind cannot be detected.
  ///
  /// Hardly any text is valid as two kinds, because most encode their length. A tiny JPEG does not, so it is tried last.
  package init?(of text: String) {
    let kinds = Self.drawn.map(\.kind).filter { $0 != .tiny } + [.tiny]
    if text.hasPrefix("#") && text.utf8.count != Self.numberSignBlurHashLength {
      self = .lqip
    } else if let kind = kinds.first(where: { (try? $0.definition.parse?(text)) != nil }) {
      self = kind
    } else if Int(text) != nil, !text.isUnmarkedLQIP {
      self = .css
    } else if text.isLikeBlurHash, text.recodedThumbHash == nil {
      self = .blurHash
    } else if text.isLikeThumbHash {
      self = .thumbHash
    } else {
      return nil
    }
  }
}

extension String {
  private static let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  private static let base83 = Set((letters + "#$%*+,-.:;=?@[]^_{|}~").utf8)
  private static let base64 = Set((letters + "+/=").utf8)
  /// The length of a BlurHash with one component.
  private static let minimumBlurHashLength = 6

  /// Whether the text may be an LQIP without its number sign; CSS integers have fewer digits.
  var isUnmarkedLQIP: Bool {
    utf8.count == 8 && allSatisfy(\.isHexDigit)
  }

  /// The base64 text of a ThumbHash that is written in URL-safe base64, without padding, or in hexadecimal; `nil` for any
  /// other text.
  var recodedThumbHash: String? {
    if utf8.count.isMultiple(of: 2), allSatisfy(\.isHexDigit) {
      let digits = compactMap(\.hexDigitValue)
      let bytes = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
      return ThumbHash(Base64.encode(bytes))?.description
    }
    let standard = prefix { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: -standard.count & 3)
    return ThumbHash(String(standard) + padding)?.description
  }

  /// The text without spaces and line breaks around it; `nil` if there are none.
  var withoutBlanksAround: String? {
    let text = drop(while: \.isWhitespace)
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex
    return text.startIndex == startIndex && end == endIndex ? nil : String(text[..<end])
  }

  /// Whether the text may be a BlurHash: it is long enough, and all characters are base-83 digits, but not all base64.
  fileprivate var isLikeBlurHash: Bool {
    utf8.count >= Self.minimumBlurHashLength && utf8.allSatisfy(Self.base83.contains)
      && !utf8.allSatisfy(Self.base64.contains)
  }

  /// Whether all characters are base64 digits, and at least one (`/`) is not a base83 digit.
  fileprivate var isLikeThumbHash: Bool {
    utf8.contains(UInt8(ascii: "/")) && utf8.allSatisfy(Self.base64.contains)
  }
}
