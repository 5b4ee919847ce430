import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

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
