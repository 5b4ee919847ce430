internal import Placeholders

/// The first directory of a TIFF structure, the only part of Exif data that is read.
///
/// Offsets in a TIFF structure can point anywhere and form cycles. This type follows only the offsets of the directory
/// and of the requested value. Each read is checked against the end of the data.
///
/// Source: TIFF 6.0, section 2.
struct TIFFDirectory {
  private static let entrySize = 12

  private let isBigEndian: Bool
  private let offset: Int
  private let entryCount: Int

  /// Finds the first directory; nil if the data has no TIFF header.
  init?(first tiff: Span<UInt8>) {
    switch tiff.integer(at: 0, size: 2) {
    case 0x4D4D: isBigEndian = true
    case 0x4949: isBigEndian = false
    default: return nil
    }
    guard
      tiff.integer(at: 2, size: 2, isBigEndian: isBigEndian) == 42,
      let offset = tiff.integer(at: 4, size: 4, isBigEndian: isBigEndian),
      let count = tiff.integer(at: Int(offset), size: 2, isBigEndian: isBigEndian)
    else { return nil }
    self.offset = Int(offset)
    entryCount = Int(count)
  }

  /// Returns the first integer of a field; if several entries have the tag, the first entry is used.
  ///
  /// - Parameters:
  ///   - tag: The number that identifies the field.
  ///   - tiff: The data that contains the directory.
  /// - Returns: The integer, without sign extension; nil if the field is missing or is not an integer.
  /// - Complexity: O(entries), at most 65,535.
  func integer(of tag: UInt32, in tiff: Span<UInt8>) -> UInt32? {
    func number(_ offset: Int, _ size: Int) -> UInt32? {
      tiff.integer(at: offset, size: size, isBigEndian: isBigEndian)
    }
    for index in 0..<entryCount {
      let entry = offset + 2 + index * Self.entrySize
      guard let ownTag = number(entry, 2) else { return nil }
      guard ownTag == tag else { continue }
      guard
        let size = number(entry + 2, 2).flatMap(Self.integerSize),
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
    let value = TIFFDirectory(first: exif)?.integer(of: 0x0112, in: exif)
    self = value.flatMap { ImageOrientation(rawValue: Int($0)) } ?? .up
  }
}
