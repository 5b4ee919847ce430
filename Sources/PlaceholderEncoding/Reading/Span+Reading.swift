extension Span<UInt8> {
  /// Reads an unsigned integer of up to four bytes.
  ///
  /// - Parameters:
  ///   - offset: The index of the first byte.
  ///   - size: The number of bytes.
  ///   - isBigEndian: Whether the most significant byte comes first.
  /// - Returns: The integer; nil if it extends past the end of the span.
  func integer(at offset: Int, size: Int, isBigEndian: Bool = true) -> UInt32? {
    guard offset <= count - size else { return nil }
    var value: UInt32 = 0
    for index in 0..<size {
      value = value << 8 | UInt32(self[offset + (isBigEndian ? index : size - 1 - index)])
    }
    return value
  }

  /// Returns whether the bytes at `offset` start with an ASCII string.
  func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset <= count - size else { return false }
    return text.withUTF8Buffer { text in
      text.indices.allSatisfy { unsafe self[offset + $0] == text[$0] }
    }
  }
}
