import PlaceholderEncoding

/// The kinds of string that can be drawn.
package enum PreviewKind: String, CaseIterable, Sendable {
  case blurHash = "blurhash"
  case lqip
  case thumbHash = "thumbhash"
  case css

  /// The one length of a BlurHash that begins with `#`, whose size digit stands for 9x7.
  private static let numberSignBlurHashLength = 4 + 2 * 9 * 7

  /// Tells a string's kind by its form, also where it is malformed; nil if it could be anything.
  ///
  /// Hardly any string is both a BlurHash and a ThumbHash: either tells its own length.
  package init?(of text: String) {
    if text.hasPrefix("#") && text.utf8.count != Self.numberSignBlurHashLength {
      self = .lqip
    } else if IntegerLQIP(text) != nil {
      self = .css
    } else if (try? BlurHash(text)) != nil {
      self = .blurHash
    } else if (try? ThumbHash(text)) != nil {
      self = .thumbHash
    } else if Int(text) != nil, !text.isUnmarkedLQIP {
      self = .css
    } else if text.isLikeBlurHash {
      self = .blurHash
    } else if text.isLikeThumbHash {
      self = .thumbHash
    } else {
      return nil
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

extension String {
  private static let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  private static let base83 = Set((letters + "#$%*+,-.:;=?@[]^_{|}~").utf8)
  private static let base64 = Set((letters + "+/=").utf8)
  /// Fewer digits make no BlurHash.
  private static let minimumBlurHashLength = 6

  /// Whether it is an LQIP whose number sign has been lost, as no integer has so many digits.
  var isUnmarkedLQIP: Bool {
    utf8.count == 8 && allSatisfy(\.isHexDigit)
  }

  /// Whether its digits are those of a BlurHash, and some of these alone.
  fileprivate var isLikeBlurHash: Bool {
    utf8.count >= Self.minimumBlurHashLength && utf8.allSatisfy(Self.base83.contains)
      && !utf8.allSatisfy(Self.base64.contains)
  }

  /// Whether its digits are those of base64, and some of these alone.
  fileprivate var isLikeThumbHash: Bool {
    utf8.contains(UInt8(ascii: "/")) && utf8.allSatisfy(Self.base64.contains)
  }
}
