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

@Suite struct ProfileTagTests {
  private static func isBounded(
    _ name: String, _ element: [UInt8], channelCount: Int = 3
  ) -> Bool {
    ProfileTag(name: name, place: 0..<element.count)
      .isBounded(in: element.span, channelCount: channelCount)
  }

  /// Generates a `lut8Type`, or a `lut16Type` with curves of two entries.
  private static func table(
    points: UInt8, channels: (UInt8, UInt8) = (3, 3), size: Int, isWide: Bool
  ) -> [UInt8] {
    Array((isWide ? "mft2" : "mft1").utf8) + [0, 0, 0, 0, channels.0, channels.1, points, 0]
      + Array(repeating: 0, count: 36) + (isWide ? [0, 2, 0, 2] : [])
      + Array(repeating: 7, count: size)
  }

  /// Generates a `lutAToBType` with only a table, 32 bytes after its start.
  private static func stages(
    points: [UInt8], bytesPerSample: UInt8, size: Int, at offset: Int = 32
  ) -> [UInt8] {
    Array("mAB ".utf8) + [0, 0, 0, 0, UInt8(points.count), 3, 0, 0]
      + Array(repeating: 0, count: 12) + ICCProfile.number(offset) + ICCProfile.number(0)
      + points + Array(repeating: 0, count: 16 - points.count) + [bytesPerSample, 0, 0, 0]
      + Array(repeating: 7, count: size)
  }

  @Test func `a curve shorter than its count is rejected`() {
    #expect(Self.isBounded("rTRC", ICCProfile.curve([1, 2, 3])))
    #expect(Self.isBounded("kTRC", ICCProfile.curve([])))
    #expect(!Self.isBounded("rTRC", ICCProfile.curve(count: 4, [1, 2, 3])))
    #expect(!Self.isBounded("rTRC", ICCProfile.curve(count: 0xFFFF_FFFF, [1, 2, 3])))
    #expect(!Self.isBounded("rTRC", Array("curv".utf8)))
  }

  @Test func `an element of the wrong type is rejected`() {
    let color = Array("XYZ ".utf8) + Array(repeating: 0, count: 16)
    #expect(Self.isBounded("rXYZ", color))
    #expect(!Self.isBounded("rXYZ", Array(color.dropLast())))
    #expect(!Self.isBounded("rTRC", color))
    #expect(!Self.isBounded("A2B0", color))
    #expect(!Self.isBounded("rXYZ", ICCProfile.curve([1])))
    #expect(!Self.isBounded("A2B0", ICCProfile.curve([1])))
    #expect(!Self.isBounded("rTRC", []))
  }

  @Test(arguments: [false, true])
  func `a table shorter than its dimensions require is rejected`(isWide: Bool) {
    // Three input curves, a table with five points per side, and three output curves.
    let size = isWide ? 2 * (3 * 2 + 375 + 3 * 2) : 3 * 256 + 375 + 3 * 256
    func isBounded(_ element: [UInt8]) -> Bool { Self.isBounded("A2B0", element) }
    #expect(isBounded(Self.table(points: 5, size: size, isWide: isWide)))
    #expect(!isBounded(Self.table(points: 5, size: size - 1, isWide: isWide)))
    #expect(!isBounded(Self.table(points: 255, size: size, isWide: isWide)))
    #expect(!isBounded(Self.table(points: 1, size: size, isWide: isWide)))
    #expect(!isBounded(Self.table(points: 0, size: size, isWide: isWide)))
    let wide = size * 4
    #expect(!isBounded(Self.table(points: 2, channels: (4, 3), size: wide, isWide: isWide)))
    #expect(!isBounded(Self.table(points: 2, channels: (3, 4), size: wide, isWide: isWide)))
  }

  /// A table with 55 points per side has 499,125 values, and one with 57 has 555,579.
  @Test func `a table with too many values is rejected`() {
    let room = 1_200_000
    #expect(Self.isBounded("A2B0", Self.table(points: 55, size: room, isWide: true)))
    #expect(!Self.isBounded("A2B0", Self.table(points: 57, size: room, isWide: true)))
    let small = Self.stages(points: [55, 55, 55], bytesPerSample: 2, size: room)
    let large = Self.stages(points: [57, 57, 57], bytesPerSample: 2, size: room)
    #expect(Self.isBounded("A2B0", small))
    #expect(!Self.isBounded("A2B0", large))
  }

  @Test func `an element above 2 MiB is rejected`() {
    let curve = ICCProfile.curve([1, 2, 3])
    let padding = Array(repeating: UInt8(0), count: 2_097_152 - curve.count)
    #expect(Self.isBounded("rTRC", curve + padding))
    #expect(!Self.isBounded("rTRC", curve + padding + [0]))
  }

  @Test func `a lutAToBType shorter than its table is rejected`() {
    let points: [UInt8] = [2, 3, 4, 5]
    func isBounded(_ element: [UInt8]) -> Bool {
      Self.isBounded("A2B0", element, channelCount: 4)
    }
    #expect(isBounded(Self.stages(points: points, bytesPerSample: 1, size: 360)))
    #expect(!isBounded(Self.stages(points: points, bytesPerSample: 1, size: 359)))
    #expect(isBounded(Self.stages(points: points, bytesPerSample: 2, size: 720)))
    #expect(!isBounded(Self.stages(points: points, bytesPerSample: 2, size: 719)))
    let huge: [UInt8] = [255, 255, 255, 255]
    #expect(!isBounded(Self.stages(points: huge, bytesPerSample: 1, size: 720)))
    for offset in [33, 0xFFFF_FFFF] {
      let moved = Self.stages(points: points, bytesPerSample: 1, size: 360, at: offset)
      #expect(!isBounded(moved))
    }
    #expect(!Self.isBounded("A2B0", Self.stages(points: points, bytesPerSample: 1, size: 360)))
  }

  @Test func `a CMYK profile needs a table, but an RGB profile does not`() {
    let none = Self.stages(points: [2, 2, 2], bytesPerSample: 1, size: 24, at: 0)
    #expect(Self.isBounded("A2B0", none))
    let inks = Self.stages(points: [2, 2, 2, 2], bytesPerSample: 1, size: 48, at: 0)
    #expect(!Self.isBounded("A2B0", inks, channelCount: 4))
  }
}
