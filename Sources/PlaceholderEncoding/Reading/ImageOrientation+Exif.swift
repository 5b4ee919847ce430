internal import Placeholders

extension ImageOrientation {
  private static let tag: UInt32 = 0x0112
  private static let entrySize = 12

  /// Creates an orientation from the TIFF data of an Exif segment, without the Exif signature.
  ///
  /// If the first directory has no valid orientation, the image is upright. Offsets in TIFF data can point anywhere and
  /// form cycles, so only the offset of this directory is followed. Each read is checked against the end of the data.
  ///
  /// Source: TIFF 6.0, section 2.
  ///
  /// - Complexity: O(entries), at most 65,535.
  init(exif tiff: Span<UInt8>) {
    self = Self.first(in: tiff) ?? .up
  }

  /// Returns the first valid value with the orientation's tag: a single SHORT in a complete entry, as in browsers.
  private static func first(in tiff: Span<UInt8>) -> ImageOrientation? {
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
      guard let tag = number(entry, 2), number(entry + 8, 4) != nil else { return nil }
      let isShort = number(entry + 2, 2) == 3 && number(entry + 4, 4) == 1
      guard tag == Self.tag, isShort, let value = number(entry + 8, 2) else { continue }
      if let orientation = ImageOrientation(rawValue: Int(value)) { return orientation }
    }
    return nil
  }
}
