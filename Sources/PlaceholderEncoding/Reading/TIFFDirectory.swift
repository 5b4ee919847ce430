internal import Placeholders

/// The first directory of a TIFF structure, which is all of Exif that is read.
///
/// Offsets in such a structure can lead anywhere, also in circles. None is followed here but that of the
/// directory and that of the value asked for, and each number is read only where there are bytes for it.
///
/// Source: TIFF 6.0, section 2.
struct TIFFDirectory {
  private static let entrySize = 12

  private let isBigEndian: Bool
  private let offset: Int
  private let entryCount: Int

  /// Finds the directory; nil if there is none.
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

  /// The first integer of a field, of the first entry if there are several.
  ///
  /// - Parameters:
  ///   - tag: The field's number.
  ///   - tiff: The bytes in which the directory was found.
  /// - Returns: The bits of the integer; nil without such a field, or with one that holds none.
  /// - Complexity: O(entries), of which there are at most 65,535.
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
      // Values of up to four bytes stand in the place of their offset.
      if Int(count) * size <= 4 { return number(entry + 8, size) }
      return number(entry + 8, 4).flatMap { number(Int($0), size) }
    }
    return nil
  }

  /// The bytes of an integer type: BYTE, SHORT and LONG, and the same with a sign.
  private static func integerSize(ofType type: UInt32) -> Int? {
    switch type {
    case 1, 6: 1
    case 3, 8: 2
    case 4, 9: 4
    default: nil
    }
  }
}

extension Orientation {
  /// Reads the tag from TIFF data, as it stands in an Exif segment behind its signature.
  ///
  /// Without the tag, or with a value of no meaning, an image is upright.
  init(exif: Span<UInt8>) {
    let value = TIFFDirectory(first: exif)?.integer(of: 0x0112, in: exif)
    self = value.flatMap { Orientation(rawValue: Int($0)) } ?? .up
  }
}
