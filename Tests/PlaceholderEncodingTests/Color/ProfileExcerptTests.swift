import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct ProfileExcerptTests {
  private static func excerpt(_ icc: [UInt8]) -> [UInt8]? { ProfileExcerpt(icc: icc.span)?.bytes }

  /// The names in the tag table of a profile.
  private static func names(_ icc: [UInt8]) -> [String] {
    stride(from: 132, to: 132 + 12 * Int(icc[131]), by: 12).map {
      String(decoding: icc[$0..<$0 + 4], as: UTF8.self)
    }
  }

  /// Returns the profile with another position of one tag.
  private static func redirected(_ icc: [UInt8], tag: Int, at offset: Int, size: Int) -> [UInt8] {
    var icc = icc
    icc.replaceSubrange(
      132 + 12 * tag + 4..<132 + 12 * tag + 12,
      with: ICCProfile.number(offset) + ICCProfile.number(size))
    return icc
  }

  private static let curve = ICCProfile.curve([0, 1000, 0xFFFF])
  private static let ink = ICCProfile.table("CMYK", channelCount: 4, lightness: (255, 0))

  @Test func `an excerpt of a display profile contains only curves and colorants`() throws {
    let excerpt = try #require(Self.excerpt(ICCProfile.embedded(in: "jpeg-icc-srgb.jpg")))
    #expect(
      Set(Self.names(excerpt)) == ["rTRC", "gTRC", "bTRC", "rXYZ", "gXYZ", "bXYZ"])
    #expect(Self.names(excerpt).count == 6)
  }

  @Test func `curves that share bytes still share them in the excerpt`() throws {
    let icc = ICCProfile.file(
      "RGB ", tags: [("rTRC", Self.curve), ("gTRC", Self.curve), ("desc", [1, 2, 3, 4])])
    let shared = Self.redirected(icc, tag: 1, at: 168, size: Self.curve.count)
    #expect(try #require(Self.excerpt(icc)).count == 132 + 24 + 2 * 20)
    #expect(try #require(Self.excerpt(shared)).count == 132 + 24 + 20)
  }

  @Test func `a profile with partly overlapping elements is rejected`() {
    let icc = ICCProfile.file("RGB ", tags: [("rTRC", Self.curve), ("gTRC", Self.curve)])
    #expect(Self.excerpt(icc) != nil)
    for (offset, size) in [(156, 22), (160, 18), (172, 18), (157, 17)] {
      #expect(Self.excerpt(Self.redirected(icc, tag: 1, at: offset, size: size)) == nil)
    }
  }

  @Test func `the position of an omitted tag is not checked`() throws {
    let icc = ICCProfile.file("RGB ", tags: [("rTRC", Self.curve), ("B2A0", Self.curve)])
    for offset in [156, 0xFFFF_FFFF] {
      let moved = Self.redirected(icc, tag: 1, at: offset, size: 0xFFFF_FFFF)
      #expect(Self.names(try #require(Self.excerpt(moved))) == ["rTRC"])
    }
  }

  @Test func `only the first of duplicate tags is kept`() throws {
    let icc = ICCProfile.file(
      "CMYK", tags: Array(repeating: ("A2B0", Array(Self.ink.dropFirst(144))), count: 100))
    #expect(Self.names(try #require(Self.excerpt(icc))) == ["A2B0"])
  }

  /// lcms loads a floating-point element again for each entry in its table of positions.
  @Test func `floating-point tables are omitted`() throws {
    let element = Array("mpet".utf8) + ICCProfile.number(0)
    let icc = ICCProfile.file("RGB ", tags: [("D2B0", element), ("rTRC", Self.curve)])
    #expect(Self.names(try #require(Self.excerpt(icc))) == ["rTRC"])
    #expect(Self.excerpt(ICCProfile.file("RGB ", tags: [("A2B0", element)])) == nil)
    #expect(Self.excerpt(ICCProfile.file("RGB ", tags: [("rTRC", element)])) == nil)
  }

  @Test(arguments: [101, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func `a profile with too many tags is rejected`(count: Int) {
    var icc = ICCProfile.file("RGB ", tags: [("rTRC", Self.curve)])
    icc += Array(repeating: 0, count: 2000)
    #expect(Self.excerpt(icc) != nil)
    icc.replaceSubrange(128..<132, with: ICCProfile.number(count))
    #expect(Self.excerpt(icc) == nil)
  }

  @Test(arguments: ["link", "abst", "nmcl", "\0\0\0\0"])
  func `an unsupported device class or color space is rejected`(deviceClass: String) {
    let tags = [("rTRC", Self.curve)]
    #expect(Self.excerpt(ICCProfile.file("RGB ", deviceClass: "mntr", tags: tags)) != nil)
    #expect(Self.excerpt(ICCProfile.file("RGB ", deviceClass: deviceClass, tags: tags)) == nil)
    #expect(Self.excerpt(ICCProfile.file("Lab ", deviceClass: "mntr", tags: tags)) == nil)
  }

  @Test func `a truncated profile is rejected`() {
    let icc = ICCProfile.file("RGB ", tags: [("rTRC", Self.curve)])
    #expect(Self.excerpt(Array(icc.dropLast(2))) != nil)
    for count in 0..<162 { #expect(Self.excerpt(Array(icc[..<count])) == nil, "\(count) bytes") }
  }
}
