import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

/// The choice among the chunks of a PNG file that declare a color space.
@Suite struct ColorPrecedenceTests {
  /// A chunk that declares a color space; its name tells what the pixel (200, 120, 60) becomes in Chromium 156.
  private static func chunk(_ name: Substring) throws -> [UInt8] {
    switch name {
    case "srgb": PNGFile.chunk("sRGB", [0])
    case "badsrgb": PNGFile.chunk("sRGB", [9])
    case "shortsrgb": PNGFile.chunk("sRGB", [])
    case "linear": PNGFile.chunk("gAMA", [0, 1, 0x86, 0xA0])
    case "zero": PNGFile.chunk("gAMA", [0, 0, 0, 0])
    case "chrm":
      PNGFile.chunk(
        "cHRM",
        [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000].flatMap { value in
          [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
        })
    case "p3": try embedded("png-iccp-display-p3-palette.png")
    case "icclinear": try embedded("png-iccp-linear-16-bit.png")
    case "gray": try embedded("png-iccp-gray-gamma-1.8.png")
    case "garbage": PNGFile.chunk("iCCP", Array("p".utf8) + [0, 0, 1, 2, 3])
    case "cicp12": PNGFile.chunk("cICP", [12, 13, 0, 1])
    case "cicp9": PNGFile.chunk("cICP", [9, 1, 0, 1])
    case "cicp2": PNGFile.chunk("cICP", [2, 13, 0, 1])
    case "shortcicp": PNGFile.chunk("cICP", [12, 13, 0])
    default: preconditionFailure("unknown chunk")
    }
  }

  /// Returns the iCCP chunk of a fixture.
  private static func embedded(_ fixture: String) throws -> [UInt8] {
    let bytes = try Fixtures.bytes(fixture)
    let name = try #require(bytes.firstRange(of: Array("iCCP".utf8)))
    let start = name.lowerBound - 4
    let count = bytes[start..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    return Array(bytes[start..<start + count + 12])
  }

  private static let shown: [String: SIMD3<UInt8>] = [
    "srgb": [200, 120, 60], "linear": [229, 183, 133], "p3": [213, 115, 42],
    "cicp9": [235, 96, 22], "chrm": [238, 180, 125],
  ]

  /// Each row: the chunks of a file, and the color space that Chromium 156 and Firefox ESR 153 apply.
  @Test(arguments: [
    // The order does not matter.
    ("srgb p3", "p3"), ("p3 srgb", "p3"), ("linear p3", "p3"), ("p3 linear", "p3"),
    ("srgb linear", "srgb"), ("linear srgb", "srgb"), ("p3 cicp9", "cicp9"),
    ("cicp9 p3", "cicp9"), ("srgb cicp9", "cicp9"), ("linear cicp9", "cicp9"),
    ("cicp12", "p3"), ("chrm linear", "chrm"), ("linear chrm", "chrm"),
    ("chrm srgb linear", "srgb"),
    // Of several chunks, the first counts.
    ("p3 icclinear", "p3"), ("icclinear p3", "linear"), ("cicp9 cicp12", "cicp9"),
    ("cicp12 cicp9", "p3"), ("p3 p3", "p3"), ("gray p3", "srgb"),
    // Unusable chunks are skipped.
    ("cicp2 p3", "p3"), ("p3 cicp2", "p3"), ("cicp2 linear", "linear"), ("cicp2 cicp9", "srgb"),
    ("garbage", "srgb"), ("garbage linear", "linear"), ("garbage cicp9", "cicp9"),
    ("badsrgb linear", "linear"), ("shortsrgb linear", "linear"), ("zero", "srgb"),
    ("shortcicp cicp9", "cicp9"), ("shortcicp p3", "p3"), ("zero p3", "p3"), ("chrm", "srgb"),
  ])
  func `the usable chunk of the highest rank applies, whatever the order`(
    chunks: String, space: String
  ) throws {
    var file = PNGFile(width: 1, height: 1, depth: 8, color: .rgb)
    file.scanlines = [0, 200, 120, 60]
    file.ancillary = try chunks.split(separator: " ").flatMap { try Self.chunk($0) }
    let color = try SRGB.samples(ofLinear: ImageDecoder().decode(file.bytes).grid.cells[0])
    let expected = try #require(Self.shown[space])
    for channel in 0..<3 {
      #expect(abs(Int(color[channel]) - Int(expected[channel])) <= 1, "\(color)")
    }
  }

  @Test func `a chunk with a wrong checksum does not count`() throws {
    var file = PNGFile(width: 1, height: 1, depth: 8, color: .rgb)
    file.scanlines = [0, 200, 120, 60]
    var damaged = try Self.chunk("icclinear")
    damaged[damaged.count - 1] ^= 1
    file.ancillary = try damaged + Self.chunk("p3")
    let color = try SRGB.samples(ofLinear: ImageDecoder().decode(file.bytes).grid.cells[0])
    #expect(color == Self.shown["p3"])
  }

  @Test func `a chunk that is not believed causes a warning`() throws {
    var file = PNGFile(width: 1, height: 1, depth: 8, color: .rgb)
    file.scanlines = [0, 200, 120, 60]
    file.ancillary = try ["p3", "icclinear", "shortsrgb", "srgb", "srgb"].flatMap {
      try Self.chunk($0)
    }
    #expect(
      try ImageDecoder().decode(file.bytes).warnings == [
        "iCCP chunk ignored: not the first", "sRGB chunk ignored: wrong size",
        "sRGB chunk ignored: not the first",
      ])
  }
}
