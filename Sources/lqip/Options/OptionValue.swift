package import LqipSystem

/// The type of an option's value: parsing, completions and error messages.
package struct OptionValue<Value>: Sendable {
  /// A description of the valid values, which completes the message "expected …".
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
  /// A file path.
  package static var path: OptionValue<FilePath> {
    OptionValue(allowed: "a file name", completion: .files) {
      $0.bytes.isEmpty ? nil : $0.path
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

  /// Returns the type of a whole number in a range, which may end with `K`, `M` or `G`: thousands, millions or billions.
  package static func count(in range: ClosedRange<Int>) -> Self {
    let units: [(end: String, factor: Int)] = [("K", 1000), ("M", 1_000_000), ("G", 1_000_000_000)]
    return OptionValue(
      allowed: "a whole number from \(range.lowerBound) to \(range.upperBound), such as 50M"
    ) { argument in
      let text = argument.text.uppercased()
      let unit = units.first { text.hasSuffix($0.end) }
      let (count, overflow) = (Int(decimal: text.dropLast(unit?.end.count ?? 0)) ?? -1)
        .multipliedReportingOverflow(by: unit?.factor ?? 1)
      return !overflow && range.contains(count) ? count : nil
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
    let units: [(end: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
    return OptionValue(
      allowed: "a number of seconds greater than 0 and at most 86400, such as 10, 500ms or 2m"
    ) { argument in
      let unit = units.first { argument.text.hasSuffix($0.end) } ?? ("", 1)
      return positiveNumber(
        String(argument.text.dropLast(unit.end.count)), upTo: 86400 / unit.seconds
      ).map { .seconds($0 * unit.seconds) }
    }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// An enumeration case, given by its raw value.
  package static var choice: Self { choice(of: Array(Value.allCases)) }
}

extension OptionValue where Value: RawRepresentable<String> & Sendable {
  /// Returns the type of one of several values, given by its raw value.
  package static func choice(of values: [Value]) -> Self {
    let words = values.map(\.rawValue)
    return OptionValue(allowed: words.alternatives, completion: .words(words)) { argument in
      values.first { $0.rawValue == argument.text }
    }
  }
}

extension [String] {
  /// The words in a phrase such as `png, jpeg or webp`.
  package var alternatives: String {
    let others = Array(dropLast()).joined(separator: ", ")
    return "\(others)\(others.isEmpty ? "" : " or ")\(last ?? "")"
  }
}

/// Parses a positive decimal number; unlike Swift's initializers, it rejects hexadecimal numbers, `inf` and `nan`.
func positiveNumber(_ text: String, upTo maximum: Double) -> Double? {
  let isDecimal = text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
  guard isDecimal, let number = Double(text), number > 0, number <= maximum else { return nil }
  return number
}
