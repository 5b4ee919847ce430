import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct OrientationExifTests {
  /// Generates TIFF data with one entry.
  private static func tiff(isBigEndian: Bool, tag: UInt16 = 0x0112, value: UInt16) -> [UInt8] {
    var tiff = TIFFBuilder(isBigEndian: isBigEndian)
    tiff.add(tag: tag, type: 3, count: 1, value: UInt32(value), size: 2)
    return tiff.bytes
  }

  private static func orientation(_ tiff: [UInt8]) -> Int {
    ImageOrientation(exif: tiff.span).rawValue
  }

  @Test(arguments: [true, false], UInt16(1)...8)
  func `the orientation is read in either byte order`(isBigEndian: Bool, value: UInt16) {
    #expect(Self.orientation(Self.tiff(isBigEndian: isBigEndian, value: value)) == Int(value))
  }

  @Test(arguments: [true, false], [0, 9, 256, 0x0600, 0xFFFF] as [UInt16])
  func `an invalid orientation counts as upright`(isBigEndian: Bool, value: UInt16) {
    #expect(Self.orientation(Self.tiff(isBigEndian: isBigEndian, value: value)) == 1)
  }

  /// Chromium 156 and Firefox ESR 153 ignore every type but SHORT.
  @Test(arguments: [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0xFFFF] as [UInt16], [true, false])
  func `an orientation that is not a SHORT is ignored`(type: UInt16, isBigEndian: Bool) {
    for size in [1, 2, 4] {
      var tiff = TIFFBuilder(isBigEndian: isBigEndian)
      tiff.add(tag: 0x0112, type: type, count: 1, value: 6, size: size)
      #expect(Self.orientation(tiff.bytes) == 1)
    }
  }

  @Test func `a valid orientation counts after an invalid one`() {
    for (type, value) in [(4, 6), (3, 9)] as [(UInt16, UInt32)] {
      var tiff = TIFFBuilder(isBigEndian: false)
      tiff.add(tag: 0x0112, type: type, count: 1, value: value, size: 4)
      tiff.add(tag: 0x0112, type: 3, count: 1, value: 8, size: 2)
      #expect(Self.orientation(tiff.bytes) == 8)
    }
  }

  @Test(arguments: [0, 2, 0xFFFF_FFFF] as [UInt32])
  func `an orientation that is not a single number is ignored`(count: UInt32) {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: 0x0112, type: 3, count: count, value: 6, size: 2)
    #expect(Self.orientation(tiff.bytes) == 1)
  }

  @Test func `the first of duplicate orientations is used`() {
    var tiff = TIFFBuilder(isBigEndian: false)
    tiff.add(tag: 0x0100, type: 3, count: 1, value: 1, size: 2)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 3, size: 2)
    #expect(Self.orientation(tiff.bytes) == 6)
  }

  @Test func `data without a TIFF header counts as upright`() {
    let good = Self.tiff(isBigEndian: true, value: 6)
    for (index, byte) in [(0, 0x49), (1, 0x49), (2, 1), (3, 43)] as [(Int, UInt8)] {
      var bad = good
      bad[index] = byte
      #expect(Self.orientation(bad) == 1, "byte \(index)")
    }
  }

  @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 9, 8] as [UInt32])
  func `a directory outside the data is ignored`(offset: UInt32) {
    #expect(Self.orientation(TIFFBuilder(isBigEndian: true, offset: offset).bytes) == 1)
  }

  /// A parser that follows the pointers reads this directory repeatedly: libexif takes 7 s for a hundred entries.
  @Test func `pointers to other directories are not followed`() {
    var tiff = TIFFBuilder(isBigEndian: false)
    for _ in 0..<5000 { tiff.add(tag: 0x8769, type: 4, count: 1, value: 8, size: 4) }
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    #expect(Self.orientation(tiff.bytes) == 6)
  }

  @Test(arguments: [0x0112, 0x0113] as [UInt16])
  func `a directory whose entry count is too large is read to the end of the data`(tag: UInt16) {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: tag, type: 3, count: 1, value: 6, size: 2)
    tiff.setCount(0xFFFF)
    #expect(Self.orientation(tiff.bytes) == (tag == 0x0112 ? 6 : 1))
  }

  @Test func `parsing truncated Exif data does not crash`() {
    let tiff = Self.tiff(isBigEndian: true, value: 6)
    for count in 0..<22 { #expect(Self.orientation(Array(tiff[..<count])) == 1, "\(count) bytes") }
  }

  @Test func `parsing random Exif data does not crash`() {
    var random = LCG(seed: 11)
    for _ in 0..<2000 {
      var noise = Self.tiff(isBigEndian: false, value: 6) + random.bytes(20)
      for _ in 0..<3 { noise[Int.random(in: 4..<noise.count, using: &random)] = random.bytes(1)[0] }
      #expect((1...8).contains(Self.orientation(noise)))
    }
  }
}
