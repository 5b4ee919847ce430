package import LqipFiles
package import PlaceholderEncoding

/// How the text after an option becomes a value, and what to say when it cannot.
package struct OptionValue<Value>: Sendable {
  /// Completes the sentence "expected …".
  package let allowed: String
  package var completion = Completion.none
  package let parse: @Sendable (CommandArgument) -> Value?

  package init(
    allowed: String, completion: Completion = Completion.none,
    parse: @escaping @Sendable (CommandArgument) -> Value?
  ) {
    self.allowed = allowed
    self.completion = completion
    self.parse = parse
  }
}

extension OptionValue<FilePath> {
  /// The name of a file.
  package static var path: OptionValue<FilePath> {
    OptionValue(allowed: "the name of a file", completion: .files) {
      $0.bytes.isEmpty ? nil : $0.path
    }
  }
}

extension OptionValue<[String]> {
  /// Words between commas, of which shells offer some.
  package static func list(of words: [String]) -> Self {
    OptionValue(allowed: "names separated by commas", completion: .words(words, isList: true)) {
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
      allowed: "any of \(words.joined(separator: ", ")), each once",
      completion: .words(words, isList: true)
    ) { argument in
      let words = argument.text.split(separator: ",", omittingEmptySubsequences: false)
      let kinds = words.compactMap { PlaceholderKind(rawValue: String($0)) }
      return kinds.count == words.count && Set(kinds).count == kinds.count ? kinds : nil
    }
  }
}

extension OptionValue<Int> {
  /// A whole number within bounds.
  package static func integer(in range: ClosedRange<Int>) -> Self {
    OptionValue(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int(decimal: $0.text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A count of at least one, with an optional binary unit.
  package static var byteCount: Self {
    OptionValue(
      allowed: "a number of bytes such as 1048576, 1024K, 64M or 2G, up to 1048576G"
    ) { argument in
      var digits = argument.text[...]
      let shift = ["K": 10, "M": 20, "G": 30][digits.suffix(1).uppercased()]
      if shift != nil { digits.removeLast() }
      guard let count = Int(decimal: digits) else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: 1 << (shift ?? 0))
      return !overflow && 1...1 << 50 ~= product ? product : nil
    }
  }
}

extension OptionValue<Duration> {
  /// A length of time, a day at most.
  package static var seconds: Self {
    OptionValue(allowed: "a number of seconds above 0 and up to 86400") { argument in
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
    OptionValue(allowed: "a number above 0 and up to \(Int(maximum))") { argument in
      guard let value: Float = number(argument.text), value > 0, value <= maximum else {
        return nil
      }
      return value
    }
  }
}

extension OptionValue<ComponentCount?> {
  /// A number of components per axis, or the choice by the image's shape.
  package static var components: OptionValue<ComponentCount?> {
    OptionValue(
      allowed: "'auto' or two numbers from 1 to 9 such as 4x3", completion: .words(["auto"])
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
      allowed: "#rrggbb, #rgb, 'white' or 'black'", completion: .words(["white", "black"])
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
    let allowed = words.map { "'\($0)'" }.joined(separator: " or ")
    return OptionValue(allowed: allowed, completion: .words(words)) { Value(rawValue: $0.text) }
  }
}

/// A number as people write it: Swift would also take hexadecimal digits.
private func number<Number: LosslessStringConvertible>(_ text: String) -> Number? {
  text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) } ? Number(text) : nil
}
