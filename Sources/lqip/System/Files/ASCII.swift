extension Int {
  /// Reads digits and nothing else: Swift would also take a sign.
  package init?(decimal digits: some StringProtocol) {
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    self.init(digits)
  }
}

extension UInt8 {
  /// Whether the byte is a letter or a digit of ASCII.
  package var isASCIIAlphanumeric: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

/// Writes counts of bytes for people.
package enum ByteCount {
  /// A count in the largest binary unit of which there is one, with a decimal unless that is zero.
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

  /// A count that is above another one, both in units, but for a difference that these would hide.
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
