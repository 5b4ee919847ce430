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

  @Test func `parsing truncated Exif data does not crash`() {
    let tiff = Self.tiff(isBigEndian: true, value: 6)
    for count in 0..<20 { #expect(Self.orientation(Array(tiff[..<count])) == 1, "\(count) bytes") }
  }

  @Test func `a negative orientation is ignored`() {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: 0x0112, type: 9, count: 1, value: 0xFFFF_FFFA, size: 4)
    #expect(Self.orientation(tiff.bytes) == 1)
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
