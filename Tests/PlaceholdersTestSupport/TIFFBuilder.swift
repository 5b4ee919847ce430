/// Generated TIFF data with one directory, valid or invalid.
///
/// Source: TIFF 6.0, section 2.
package struct TIFFBuilder {
  private let isBigEndian: Bool
  private let head: [UInt8]
  private var count: UInt16 = 0
  private var entries: [UInt8] = []

  package init(isBigEndian: Bool, offset: UInt32 = 8) {
    self.isBigEndian = isBigEndian
    head =
      Array((isBigEndian ? "MM" : "II").utf8) + Self.number(42, 2, isBigEndian)
      + Self.number(offset, 4, isBigEndian)
  }

  /// Adds an entry whose value field contains an integer of `size` bytes.
  package mutating func add(tag: UInt16, type: UInt16, count: UInt32, value: UInt32, size: Int) {
    self.count += 1
    entries +=
      Self.number(UInt32(tag), 2, isBigEndian) + Self.number(UInt32(type), 2, isBigEndian)
      + Self.number(count, 4, isBigEndian) + Self.number(value, size, isBigEndian)
      + Array(repeating: 0, count: 4 - size)
  }

  /// Replaces the number of entries with a wrong count.
  package mutating func setCount(_ count: UInt16) { self.count = count }

  package var bytes: [UInt8] {
    head + Self.number(UInt32(count), 2, isBigEndian) + entries + Self.number(0, 4, isBigEndian)
  }

  private static func number(_ value: UInt32, _ size: Int, _ isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
