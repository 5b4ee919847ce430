/// The bits of a scan, the first of each byte the highest.
struct BitWriter {
  /// Whole bytes; behind one of all ones is a zero, as else it would begin a marker.
  private(set) var bytes: [UInt8] = []

  private var bits: UInt64 = 0
  private var bitCount = 0

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends the low bits of a value that has no others.
  ///
  /// - Parameters:
  ///   - value: The bits.
  ///   - count: How many they are, at most 32.
  mutating func append(_ value: UInt32, count: Int) {
    bits = bits << count | UInt64(value)
    bitCount += count
    while bitCount >= 8 {
      bitCount -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> bitCount)
      bytes.append(byte)
      if byte == 0xff { bytes.append(0) }
    }
  }

  /// Fills the last byte with ones.
  mutating func finish() {
    append(UInt32(1) << (-bitCount & 7) - 1, count: -bitCount & 7)
  }
}
