/// roff markup in which interpolated text is escaped.
struct Roff: Hashable, Sendable, ExpressibleByStringInterpolation {
  let markup: String

  /// Creates markup from a literal, without escaping.
  init(stringLiteral markup: String) {
    self.markup = markup
  }

  init(stringInterpolation: Interpolation) {
    markup = stringInterpolation.markup
  }

  /// Creates a paragraph from plain text, which is escaped and wrapped.
  init(paragraph text: some StringProtocol) {
    let escaped: Roff = "\(String(text))"
    let lines = HelpText.wrapped(escaped.markup).split(separator: "\n")
    // roff treats a line that begins with a period as a request.
    markup = lines.map { ($0.hasPrefix(".") ? "\\&" : "") + $0 + "\n" }.joined()
  }

  /// Creates markup by joining pieces, with a separator between them.
  init(_ pieces: [Roff], separator: String = "") {
    markup = pieces.map(\.markup).joined(separator: separator)
  }

  /// Escapes interpolated text, but not literals or other markup.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    mutating func appendInterpolation(_ roff: Roff) {
      markup += roff.markup
    }

    /// Appends text with roff escapes; otherwise, roff would print typographic variants of some characters.
    mutating func appendInterpolation(_ text: String) {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": markup += "\\(rs"
        case "-": markup += "\\-"
        case "'": markup += "\\(aq"
        case "\"": markup += "\\(dq"
        case "`": markup += "\\(ga"
        case "^": markup += "\\(ha"
        case "~": markup += "\\(ti"
        case _ where scalar.isASCII: markup.unicodeScalars.append(scalar)
        default: markup += "\\[u\(hexadecimal(scalar))]"
        }
      }
    }

    /// Returns the code point in hexadecimal, with at least four digits.
    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
