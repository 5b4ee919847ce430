/// Repairs the checksums of PNG chunks, so that readers accept mutated files.
enum PNGChecksums {
  /// Returns the file with correct checksums, up to the first incomplete chunk.
  ///
  /// Source: PNG, section 5.3.
  static func repaired(_ png: [UInt8]) -> [UInt8] {
    var png = png
    var start = 8
    while start + 12 <= png.count {
      let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = start + 8 + length
      guard end + 4 <= png.count else { break }
      let checksum = crc(png[start + 4..<end])
      for index in 0..<4 {
        png[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * index))
      }
      start = end + 4
    }
    return png
  }

  /// Source: PNG, annex D.
  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { sum, byte in
      table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ sum >> 1 }
  }
}
