/// Unusual input values for fuzzing, the same in each run.
package struct OddValues: RandomNumberGenerator {
  /// Numbers at the limits of types, valid values, and variants of valid values.
  private static let seeds = [
    "", "0", "1", "-1", "+1", "00", "01", "2", "3", "9", "10", "16", "64", "100", "101", "1024",
    "1025", "4096", "4097", "65535", "65536", "86400", "86401", "2147483647", "2147483648",
    "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551615", "99999999999999999999999", "0.5", "1.5", ".5", "5.", "1e0", "1e-5",
    "1e38", "3.4028235e38", "3.4028236e38", "1e39", "1e308", "1.7976931348623157e308", "1e309",
    "1e-38", "1.1754944e-38", "1e-45", "7e-46", "5e-324", "1e-400", "nan", "-nan", "snan", "inf",
    "-inf", "infinity", "0x10", "0x1p3", "0x1p-149", "0x1p1024", "1_000", " 1", "1 ", "١", "1K",
    "1M", "9007199254740993G", "8388608T", "auto", "4x3", "9x9", "0x0", "10x1", "1x", "true",
    "false", "white", "#fff", "#ffffff", "#ccd94c11", "#", "%", "fitted", "corners", "six",
    "reference", "plain", "mastodon", "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "00OZZy", "00~~~~",
    "|~TSUA" + String(repeating: "~0", count: 80), "a,b", ",", "/", "..", "a\0b", "\r\n",
    "\u{FEFF}",
    "é", "👩‍👩‍👧", "-", "--", "-x", "=", "always", "json", "2000-01-01", "unix:/a", "127.0.0.1:80",
    "[::1]:0", "*", "https://a.example",
  ]

  private var random: LCG

  /// Creates a series of values.
  package init(seed: UInt64) {
    random = LCG(seed: seed)
  }

  package mutating func next() -> UInt64 {
    random.next()
  }

  /// Returns a random integer below a limit.
  package mutating func number(below bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &self)
  }

  /// Returns the next value: a seed, a modified seed, a random number or random bytes.
  package mutating func value() -> [UInt8] {
    let seed = Array(Self.seeds[number(below: Self.seeds.count)].utf8)
    switch number(below: 10) {
    case 0...4: return seed
    case 5: return Array("\(Float(bitPattern: random.nextHalf()))".utf8)
    case 6: return Array("\(Double(bitPattern: next()))".utf8)
    case 7: return Array("\(Int(truncatingIfNeeded: next()) >> number(below: 64))".utf8)
    case 8: return changed(seed)
    default:
      let count = number(below: 400) == 0 ? 100_000 : number(below: 40)
      return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.nextHalf()) }
    }
  }

  /// Replaces, duplicates or removes a few bytes.
  private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...number(below: 3) where !bytes.isEmpty {
      let index = number(below: bytes.count)
      switch number(below: 3) {
      case 0: bytes[index] = UInt8(truncatingIfNeeded: random.nextHalf())
      case 1: bytes.insert(bytes[index], at: index)
      default: bytes.remove(at: index)
      }
    }
    return bytes
  }
}
