/// Text that is safe to put into a page, as content or as the value of an attribute.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  let markup: String

  /// Takes what the program itself writes as it is.
  init(stringLiteral markup: String) {
    self.markup = markup
  }

  init(stringInterpolation: Interpolation) {
    markup = stringInterpolation.markup
  }

  /// Joins pieces without anything between them.
  init(_ pieces: [HTML]) {
    markup = pieces.map(\.markup).joined()
  }

  /// The markup in UTF-8.
  var bytes: [UInt8] {
    Array(markup.utf8)
  }

  /// Keeps apart what is markup and what came from somewhere else.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    /// Escapes a text.
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

    /// Puts in the text of a style or of a script, which has no escapes.
    mutating func appendInterpolation(raw text: String) {
      markup += text
    }
  }
}
