import LqipSystem

/// A markup language, which defines the escapes of plain text.
protocol MarkupLanguage {
  /// Returns the markup of one character of plain text.
  static func escaped(_ scalar: Unicode.Scalar) -> String
}

/// Markup in which interpolated text is escaped; literals and interpolated markup are not.
struct Markup<Language: MarkupLanguage>: Hashable, Sendable, ExpressibleByStringInterpolation {
  let markup: String

  /// Creates markup from a literal, without escaping.
  init(stringLiteral markup: String) {
    self.markup = markup
  }

  init(stringInterpolation: Interpolation) {
    markup = stringInterpolation.markup
  }

  /// Creates markup by joining pieces, with a separator between them.
  init(_ pieces: [Markup], separator: String = "") {
    markup = pieces.map(\.markup).joined(separator: separator)
  }

  var bytes: [UInt8] {
    Array(markup.utf8)
  }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate(set) var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    mutating func appendInterpolation(_ text: String) {
      for scalar in text.unicodeScalars { markup += Language.escaped(scalar) }
    }

    mutating func appendInterpolation(_ number: Int) {
      appendInterpolation("\(number)")
    }

    mutating func appendInterpolation(_ markup: Markup) {
      self.markup += markup.markup
    }

    /// Appends text without escapes, such as the content of a `style` or `script` element of HTML.
    mutating func appendInterpolation(raw text: String) {
      markup += text
    }
  }
}

/// HTML whose interpolated text is escaped for content and quoted attribute values.
typealias HTML = Markup<HTMLLanguage>

enum HTMLLanguage: MarkupLanguage {
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: String(scalar)
    }
  }
}

/// roff, with the macros of man(7).
typealias Roff = Markup<RoffLanguage>

enum RoffLanguage: MarkupLanguage {
  /// Escapes the characters of which roff would otherwise print typographic variants.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\(rs"
    case "-": "\\-"
    case "'": "\\(aq"
    case "\"": "\\(dq"
    case "`": "\\(ga"
    case "^": "\\(ha"
    case "~": "\\(ti"
    case _ where scalar.isASCII: String(scalar)
    default: "\\[u\(String(UInt64(scalar.value), radix: 16, minimumLength: 4, uppercase: true))]"
    }
  }
}

extension Roff {
  /// Creates a paragraph from plain text, which is escaped and wrapped.
  init(paragraph text: some StringProtocol) {
    let escaped: Roff = "\(String(text))"
    let lines = HelpText.wrapped(escaped.markup).split(separator: "\n")
    // roff treats a line that begins with a period as a request.
    markup = lines.map { ($0.hasPrefix(".") ? "\\&" : "") + $0 + "\n" }.joined()
  }
}
