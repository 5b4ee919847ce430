/// Text for roff, in which nothing of what it is made from is markup.
struct Roff: Hashable, Sendable, ExpressibleByStringInterpolation {
  let markup: String

  /// Takes what the program itself writes as it is.
  init(stringLiteral markup: String) {
    self.markup = markup
  }

  init(stringInterpolation: Interpolation) {
    markup = stringInterpolation.markup
  }

  /// Lays out a paragraph in short lines.
  init(paragraph text: some StringProtocol) {
    let escaped: Roff = "\(String(text))"
    let lines = HelpText.wrapped(escaped.markup).split(separator: "\n")
    // A line that begins with a period would be a request.
    markup = lines.map { ($0.hasPrefix(".") ? "\\&" : "") + $0 + "\n" }.joined()
  }

  /// Joins pieces, with a separator between them.
  init(_ pieces: [Roff], separator: String = "") {
    markup = pieces.map(\.markup).joined(separator: separator)
  }

  /// Keeps apart what is markup and what came from somewhere else.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    mutating func appendInterpolation(_ roff: Roff) {
      markup += roff.markup
    }

    /// Escapes a text, so that every character stays what it is rather than one that looks like it.
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

    /// The number of a character with four digits at least.
    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
