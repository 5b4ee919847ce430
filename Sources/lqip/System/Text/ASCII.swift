extension Int {
  /// Creates an integer from ASCII digits; fails for any other text, including a sign, which `Int.init(_:)` accepts.
  package init?(decimal digits: some StringProtocol) {
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    self.init(digits)
  }
}

extension String {
  /// Creates the digits of a number, with leading zeros up to a length.
  package init(_ number: UInt64, radix: Int = 10, minimumLength: Int, uppercase: Bool = false) {
    let digits = String(number, radix: radix, uppercase: uppercase)
    self = String(repeating: "0", count: Swift.max(0, minimumLength - digits.count)) + digits
  }
}

extension UInt8 {
  package var isASCIIAlphanumeric: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

/// Human-readable byte counts.
package enum ByteCount {
  /// Formats a count in bytes, KiB, MiB, GiB or TiB, rounded down to at most one decimal place.
  package static func text(_ count: Int) -> String {
    var (shift, unit) = (0, "")
    for (index, name) in ["KiB", "MiB", "GiB", "TiB"].enumerated()
    where count >> (10 * (index + 1)) > 0 {
      (shift, unit) = (10 * (index + 1), name)
    }
    guard shift > 0 else { return bytes(count) }
    let whole = count >> shift
    let tenths = ((count & (1 << shift - 1)) * 10) >> shift
    return tenths == 0 ? "\(whole) \(unit)" : "\(whole).\(tenths) \(unit)"
  }

  /// Formats a count as "X, above the limit of Y"; X is in bytes if X and Y would otherwise look the same.
  package static func text(_ count: Int, above limit: Int) -> String {
    let (count, rounded) = (
      text(count) == text(limit) ? bytes(count) : text(count), text(limit)
    )
    return "\(count), above the limit of \(rounded)"
  }

  private static func bytes(_ count: Int) -> String {
    count == 1 ? "1 byte" : "\(count) bytes"
  }
}
