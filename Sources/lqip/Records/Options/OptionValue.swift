package import LqipSystem
package import PlaceholderEncoding

/// How the text after an option becomes a value, and what to say when it cannot.
package struct OptionValue<Value>: Sendable {
  /// Completes the sentence "expected …".
  package let allowed: String
  package var completion = Completion.none
  /// What to type instead of a text that is not allowed.
  package let advice: @Sendable (String) -> Advice?
  package let parse: @Sendable (CommandArgument) -> Value?

  /// A value of which shells complete some words, and that the nearest of these corrects.
  package init(
    allowed: String, completion: Completion = Completion.none,
    advice: (@Sendable (String) -> Advice?)? = nil,
    parse: @escaping @Sendable (CommandArgument) -> Value?
  ) {
    self.allowed = allowed
    self.completion = completion
    self.advice = advice ?? { completion.nearest(to: $0).map { .word($0) } }
    self.parse = parse
  }
}

extension OptionValue<FilePath> {
  /// The name of a file.
  package static var path: OptionValue<FilePath> {
    OptionValue(allowed: "a file name", completion: .files) {
      $0.bytes.isEmpty ? nil : $0.path
    }
  }
}

extension OptionValue<[String]> {
  /// Words between commas, of which shells offer some.
  package static func list(of words: [String]) -> Self {
    OptionValue(allowed: "comma-separated names", completion: .words(words, isList: true)) {
      argument in
      let words = argument.text.split(separator: ",", omittingEmptySubsequences: false)
      return words.contains("") ? nil : words.map(String.init)
    }
  }
}

extension OptionValue<[PlaceholderKind]> {
  /// Kinds of placeholders between commas, each once.
  package static var kinds: Self {
    let words = PlaceholderKind.allCases.map(\.rawValue)
    return OptionValue(
      allowed: "a comma-separated list of: \(words.joined(separator: ", "))",
      completion: .words(words, isList: true)
    ) { argument in
      let words = argument.text.split(separator: ",", omittingEmptySubsequences: false)
      let kinds = words.compactMap { PlaceholderKind(rawValue: String($0)) }
      return kinds.count == words.count && Set(kinds).count == kinds.count ? kinds : nil
    }
  }
}

/// The factors of units: as in GNU programs, `K` and `KiB` are 1024 bytes, and `KB` is 1000.
private let byteUnits = [
  "": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "KIB": 1 << 10, "MIB": 1 << 20,
  "GIB": 1 << 30, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
]

extension OptionValue<Int> {
  /// A whole number within bounds.
  package static func integer(in range: ClosedRange<Int>) -> Self {
    OptionValue(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int(decimal: $0.text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A count of at least one, with an optional unit.
  package static var byteCount: Self {
    OptionValue(allowed: "a size such as 500000, 64M or 20MB, at most 1048576G") { argument in
      let text = argument.text
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      // One space may stand before the unit.
      let unit = text.dropFirst(digits.count + (text.dropFirst(digits.count).first == " " ? 1 : 0))
      guard let count = Int(decimal: digits), let factor = byteUnits[unit.uppercased()],
        unit.isEmpty == (digits.count == text.count)
      else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: factor)
      return !overflow && 1...1 << 50 ~= product ? product : nil
    }
  }
}

extension OptionValue<Duration> {
  /// A length of time, a day at most.
  package static var seconds: Self {
    OptionValue(allowed: "a number of seconds above 0, at most 86400") { argument in
      guard let seconds: Double = number(argument.text), seconds > 0, seconds <= 86400 else {
        return nil
      }
      return .seconds(seconds)
    }
  }
}

extension OptionValue<Float> {
  /// A number above zero.
  package static func positive(upTo maximum: Float) -> Self {
    OptionValue(allowed: "a number above 0, at most \(Int(maximum))") { argument in
      // As a `Float`, what is barely above the maximum would be the maximum.
      guard let value: Double = number(argument.text), Float(value) > 0, value <= Double(maximum)
      else { return nil }
      return Float(value)
    }
  }
}

extension OptionValue<ComponentCount?> {
  /// A number of components per axis, or the choice by the image's shape.
  package static var components: OptionValue<ComponentCount?> {
    OptionValue(
      allowed: "auto, or two numbers from 1 to 9 such as 4x3", completion: .words(["auto"])
    ) { argument in
      argument.text == "auto" ? .some(nil) : ComponentCount(argument.text).map(Optional.some)
    }
  }
}

extension OptionValue<PackedLQIP> {
  /// Three packed colors.
  package static var lqip: OptionValue<PackedLQIP> {
    OptionValue(allowed: "# and 8 hexadecimal digits") { try? PackedLQIP($0.text) }
  }
}

extension OptionValue<SRGBColor> {
  /// A color by its digits or one of two names.
  package static var color: OptionValue<SRGBColor> {
    OptionValue(
      allowed: "#rrggbb, #rgb, white or black", completion: .words(["white", "black"])
    ) { argument in
      switch argument.text {
      case "white": .white
      case "black": .black
      default: SRGBColor(hex: argument.text)
      }
    }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
  /// One of a fixed set of words.
  package static var choice: Self {
    let words = Value.allCases.map(\.rawValue)
    let last = words.last ?? ""
    let others = words.dropLast().joined(separator: ", ")
    let allowed = others.isEmpty ? last : "\(others) or \(last)"
    return OptionValue(allowed: allowed, completion: .words(words)) { Value(rawValue: $0.text) }
  }
}

extension Completion {
  /// The word, or the list of words, that a mistyped text was meant to be.
  fileprivate func nearest(to text: String) -> String? {
    switch self {
    case .none, .files: nil
    case .words(let words, isList: false): Suggestion.nearest(to: text, among: words)
    case .words(let words, isList: true): Suggestion.corrected(list: text, by: words)
    }
  }
}

/// A number as people write it: Swift would also take hexadecimal digits.
private func number<Number: LosslessStringConvertible>(_ text: String) -> Number? {
  text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) } ? Number(text) : nil
}
