internal import PlaceholderEncoding

/// The kinds of string that can be drawn.
package enum PreviewKind: String, CaseIterable, Sendable {
  case blurHash = "blurhash"
  case lqip
  case thumbHash = "thumbhash"
  case css

  /// The one length of a BlurHash that begins with `#`, whose size digit stands for 9x7.
  private static let numberSignBlurHashLength = 4 + 2 * 9 * 7

  /// Tells a string's kind by its form; what has none is taken for a BlurHash.
  ///
  /// Hardly any string is both a BlurHash and a ThumbHash: either tells its own length.
  package init(of text: String) {
    if text.hasPrefix("#") && text.utf8.count != Self.numberSignBlurHashLength {
      self = .lqip
    } else if IntegerLQIP(text) != nil {
      self = .css
    } else if (try? BlurHash(text)) != nil {
      self = .blurHash
    } else if (try? ThumbHash(text)) != nil {
      self = .thumbHash
    } else {
      self = Int(text) != nil ? .css : .blurHash
    }
  }

  /// What people call it.
  package var title: String {
    switch self {
    case .blurHash: "BlurHash"
    case .lqip: "LQIP"
    case .thumbHash: "ThumbHash"
    case .css: "CSS integer"
    }
  }
}
