import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct TIFFDirectoryTests {
  private static func integer(_ tag: UInt32, _ tiff: TIFFBuilder) -> UInt32? {
    TIFFDirectory.integer(of: tag, in: tiff.bytes.span)
  }

  /// Source: TIFF 6.0, section 2, "Types".
  @Test(
    arguments: [(1, 1), (3, 2), (4, 4), (6, 1), (8, 2), (9, 4)] as [(UInt16, Int)], [true, false])
  func `an integer of any type is read in either byte order`(
    type: (number: UInt16, size: Int), isBigEndian: Bool
  ) {
    var tiff = TIFFBuilder(isBigEndian: isBigEndian)
    tiff.add(tag: 0x0112, type: type.number, count: 1, value: 6, size: type.size)
    #expect(Self.integer(0x0112, tiff) == 6)
  }

  /// Text, fractions, undefined bytes, floating point, and invalid types.
  @Test(arguments: [0, 2, 5, 7, 10, 11, 12, 13, 0xFFFF] as [UInt16])
  func `a field without an integer type returns no integer`(type: UInt16) {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: 0x0112, type: type, count: 1, value: 6, size: 2)
    #expect(Self.integer(0x0112, tiff) == nil)
  }

  @Test func `a field without values returns no integer`() {
    var tiff = TIFFBuilder(isBigEndian: false)
    tiff.add(tag: 0x0112, type: 3, count: 0, value: 6, size: 2)
    #expect(Self.integer(0x0112, tiff) == nil)
  }

  @Test func `the first of duplicate entries is used`() {
    var tiff = TIFFBuilder(isBigEndian: false)
    tiff.add(tag: 0x0100, type: 3, count: 1, value: 1, size: 2)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 3, size: 2)
    #expect(Self.integer(0x0112, tiff) == 6)
    #expect(Self.integer(0x0113, tiff) == nil)
  }

  @Test func `values of more than four bytes are read at their offset`() {
    var tiff = TIFFBuilder(isBigEndian: true)
    // The entry occupies bytes 10 to 22, and the offset of the next directory bytes 22 to 26.
    tiff.add(tag: 0x0112, type: 3, count: 3, value: 26, size: 4)
    #expect(Self.integer(0x0112, tiff) == nil)
    tiff.append([0, 8, 0, 1, 0, 2])
    #expect(Self.integer(0x0112, tiff) == 8)
  }

  @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 27, 26] as [UInt32])
  func `an offset past the end is ignored`(offset: UInt32) {
    var tiff = TIFFBuilder(isBigEndian: false)
    tiff.add(tag: 0x0112, type: 9, count: 2, value: offset, size: 4)
    #expect(Self.integer(0x0112, tiff) == nil)
    #expect(Self.integer(0x0112, TIFFBuilder(isBigEndian: true, offset: offset)) == nil)
  }

  @Test func `data without a TIFF header has no directory`() {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    let good = tiff.bytes
    #expect(TIFFDirectory.integer(of: 0x0112, in: good.span) == 6)
    for (index, byte) in [(0, 0x49), (1, 0x49), (2, 1), (3, 43)] as [(Int, UInt8)] {
      var bad = good
      bad[index] = byte
      #expect(TIFFDirectory.integer(of: 0x0112, in: bad.span) == nil, "byte \(index)")
    }
  }

  /// A parser that follows the pointers reads this directory repeatedly: libexif takes 7 s for a hundred entries.
  @Test func `pointers to other directories are not followed`() {
    var tiff = TIFFBuilder(isBigEndian: false)
    for _ in 0..<5000 { tiff.add(tag: 0x8769, type: 4, count: 1, value: 8, size: 4) }
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    #expect(Self.integer(0x0112, tiff) == 6)
  }

  @Test func `a directory whose entry count is too large is read to the end of the data`() {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    tiff.setCount(0xFFFF)
    #expect(Self.integer(0x0112, tiff) == 6)
    #expect(Self.integer(0x0113, tiff) == nil)
  }
}
