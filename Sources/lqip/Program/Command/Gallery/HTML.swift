/// HTML markup in which interpolated text is escaped, for content and attribute values.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  let markup: String

  /// Creates markup from a literal, without escaping.
  init(stringLiteral markup: String) {
    self.markup = markup
  }

  init(stringInterpolation: Interpolation) {
    markup = stringInterpolation.markup
  }

  /// Creates markup by joining pieces without a separator.
  init(_ pieces: [HTML]) {
    markup = pieces.map(\.markup).joined()
  }

  /// The markup in UTF-8.
  var bytes: [UInt8] {
    Array(markup.utf8)
  }

  /// Escapes interpolated text, but not literals or other markup.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    /// Appends text with HTML escapes.
    mutating func appendInterpolation(_ text: String) {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": markup += "&amp;"
        case "<": markup += "&lt;"
        case ">": markup += "&gt;"
        case "\"": markup += "&quot;"
        case "'": markup += "&#39;"
        default: markup.unicodeScalars.append(scalar)
        }
      }
    }

    mutating func appendInterpolation(_ number: Int) {
      markup += "\(number)"
    }

    mutating func appendInterpolation(_ html: HTML) {
      markup += html.markup
    }

    /// Appends the text of a `style` or `script` element, in which HTML has no escapes.
    mutating func appendInterpolation(raw text: String) {
      markup += text
    }
  }
}
