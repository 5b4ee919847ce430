package import LqipSystem
package import PlaceholderEncoding

/// The type of an option's value: parsing, completions and error messages.
package struct OptionValue<Value>: Sendable {
  /// A description of the valid values, which completes the message "expected …".
  package let allowed: String
  package var completion = Completion.none
  /// Returns a suggestion for an invalid value.
  package let advice: @Sendable (String) -> Advice?
  package let parse: @Sendable (CommandArgument) -> Value?

  /// Creates the type of an option's value; by default, `advice` suggests the nearest completion.
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
  /// A file path.
  package static var path: OptionValue<FilePath> {
    OptionValue(allowed: "a file name", completion: .files) {
      $0.bytes.isEmpty ? nil : $0.path
    }
  }
}

extension OptionValue<[String]> {
  /// Returns the type of a comma-separated list of any words, with `words` as completions.
  package static func list(of words: [String]) -> Self {
    OptionValue(allowed: "comma-separated names", completion: .words(words, isList: true)) {
      argument in
      let words = argument.text.split(separator: ",", omittingEmptySubsequences: false)
      return words.contains("") ? nil : words.map(String.init)
    }
  }
}

extension OptionValue<[PlaceholderKind]> {
  /// A comma-separated list of placeholder kinds without duplicates.
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

/// The units of byte counts, as in GNU programs: `K` and `KiB` are 1024 bytes, `KB` is 1000 bytes.
private let byteUnits = [
  "": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "KIB": 1 << 10, "MIB": 1 << 20,
  "GIB": 1 << 30, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
]

extension OptionValue<Int> {
  /// Returns the type of a whole number in a range.
  package static func integer(in range: ClosedRange<Int>) -> Self {
    OptionValue(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int(decimal: $0.text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number of bytes from 1 to 2^50, with an optional unit.
  package static var byteCount: Self {
    OptionValue(allowed: "a size of at most 1048576G, such as 500000, 64M or 20MB") { argument in
      let text = argument.text
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      // One space may precede the unit.
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
  /// A positive duration in seconds, at most one day.
  package static var seconds: Self {
    OptionValue(allowed: "a number of seconds greater than 0 and at most 86400") { argument in
      guard let seconds: Double = number(argument.text), seconds > 0, seconds <= 86400 else {
        return nil
      }
      return .seconds(seconds)
    }
  }
}

extension OptionValue<Float> {
  /// Returns a value type that accepts positive numbers up to `maximum`.
  package static func positive(upTo maximum: Float) -> Self {
    OptionValue(allowed: "a number above 0, at most \(Int(maximum))") { argument in
      // Compare as `Double`: as a `Float`, a slightly larger value would round to the maximum.
      guard let value: Double = number(argument.text), Float(value) > 0, value <= Double(maximum)
      else { return nil }
      return Float(value)
    }
  }
}

extension OptionValue<BlurHash.Components> {
  /// The number of BlurHash components per axis, or `auto`.
  package static var components: Self {
    OptionValue(
      allowed: "auto, or two numbers from 1 to 9 joined by 'x', such as 4x3",
      completion: .words(["auto"])
    ) { BlurHash.Components($0.text) }
  }
}

extension OptionValue<LQIP.PackedColors> {
  /// A value of an LQIP: `#` followed by eight hexadecimal digits.
  package static var lqip: Self {
    OptionValue(allowed: "'#' followed by 8 hexadecimal digits") { LQIP.PackedColors($0.text) }
  }
}

extension OptionValue<SRGBColor> {
  /// A color: `#rrggbb`, `#rgb`, `white` or `black`.
  package static var color: OptionValue<SRGBColor> {
    OptionValue(
      allowed: "#rrggbb, #rgb, white or black", completion: .words(["white", "black"])
    ) { argument in
      switch argument.text {
      case "white": .white
      case "black": .black
      default: SRGBColor(argument.text)
      }
    }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
  /// An enumeration case, given by its raw value.
  package static var choice: Self {
    let words = Value.allCases.map(\.rawValue)
    let last = words.last ?? ""
    let others = words.dropLast().joined(separator: ", ")
    let allowed = others.isEmpty ? last : "\(others) or \(last)"
    return OptionValue(allowed: allowed, completion: .words(words)) { Value(rawValue: $0.text) }
  }
}

extension Completion {
  /// Returns the word or list of words nearest to mistyped text, or `nil` if no word is similar.
  fileprivate func nearest(to text: String) -> String? {
    switch self {
    case .none, .files: nil
    case .words(let words, isList: false): Suggestion.nearest(to: text, among: words)
    case .words(let words, isList: true): Suggestion.corrected(list: text, by: words)
    }
  }
}

/// Parses a decimal number; unlike Swift's initializers, it rejects hexadecimal numbers, `inf` and `nan`.
private func number<Number: LosslessStringConvertible>(_ text: String) -> Number? {
  text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) } ? Number(text) : nil
}
