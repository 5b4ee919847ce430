internal import Placeholders

/// The first directory of a TIFF structure, the only part of Exif data that is read.
///
/// Offsets in a TIFF structure can point anywhere and form cycles. Only the offsets of the directory and of the
/// requested value are followed. Each read is checked against the end of the data.
///
/// Source: TIFF 6.0, section 2.
enum TIFFDirectory {
  private static let entrySize = 12

  /// Returns the first integer of a field; if several entries have the tag, the first entry is used.
  ///
  /// - Parameters:
  ///   - tag: The number that identifies the field.
  ///   - tiff: The data that begins with the TIFF header.
  /// - Returns: The integer, without sign extension; nil if the field is missing or is not an integer, or if the data
  ///   has no TIFF header.
  /// - Complexity: O(entries), at most 65,535.
  static func integer(of tag: UInt32, in tiff: Span<UInt8>) -> UInt32? {
    let order = tiff.integer(at: 0, size: 2)
    func number(_ offset: Int, _ size: Int) -> UInt32? {
      tiff.integer(at: offset, size: size, isBigEndian: order == 0x4D4D)
    }
    guard
      order == 0x4D4D || order == 0x4949, number(2, 2) == 42, let directory = number(4, 4),
      let entryCount = number(Int(directory), 2)
    else { return nil }
    for index in 0..<Int(entryCount) {
      let entry = Int(directory) + 2 + index * entrySize
      guard let ownTag = number(entry, 2) else { return nil }
      guard ownTag == tag else { continue }
      guard
        let size = number(entry + 2, 2).flatMap(integerSize),
        let count = number(entry + 4, 4), count > 0
      else { return nil }
      // Values of up to four bytes are stored in place of their offset.
      if Int(count) * size <= 4 { return number(entry + 8, size) }
      return number(entry + 8, 4).flatMap { number(Int($0), size) }
    }
    return nil
  }

  /// Returns the size of an integer type in bytes; nil for other types.
  ///
  /// The integer types are BYTE, SHORT and LONG, and their signed variants.
  private static func integerSize(ofType type: UInt32) -> Int? {
    switch type {
    case 1, 6: 1
    case 3, 8: 2
    case 4, 9: 4
    default: nil
    }
  }
}

extension ImageOrientation {
  /// Creates an orientation from the TIFF data of an Exif segment, without the Exif signature.
  ///
  /// If the tag is missing or its value is invalid, the image is upright.
  init(exif: Span<UInt8>) {
    let value = TIFFDirectory.integer(of: 0x0112, in: exif)
    self = value.flatMap { ImageOrientation(rawValue: Int($0)) } ?? .up
  }
}
