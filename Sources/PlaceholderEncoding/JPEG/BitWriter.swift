/// Packs the bits of entropy-coded data into bytes, starting with the highest bit.
struct BitWriter {
  /// The complete bytes, with a zero stuffed after each 0xFF, which would otherwise start a marker.
  private(set) var bytes: [UInt8] = []

  private var bits: UInt64 = 0
  private var bitCount = 0

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends bits.
  ///
  /// - Parameters:
  ///   - value: The bits; the bits above `count` are zero.
  ///   - count: The number of bits, at most 32.
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
