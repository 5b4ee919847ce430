import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PlaceholderEncoderTests {
  /// Large flat images, whose reference hash contains a false gradient.
  private static let flat: Set = [
    "jpeg-lines-progressive-272x264.jpg",
    "png-iccp-linear-fine-checkerboard.png",
    "size-6400x92-flat-gray.png",
  ]

  @Test(arguments: try Golden.rows())
  func `image properties match Pillow, and the BlurHash matches the C reference`(golden: Golden)
    throws
  {
    let file = try #require(FileHandle(forReadingAtPath: Fixtures.path(golden.path)))
    let placeholders = try PlaceholderEncoder().encode(fileDescriptor: file.fileDescriptor)
    #expect(try PlaceholderEncoder().encode(fixture: golden.path) == placeholders)
    #expect(placeholders.width == golden.width)
    #expect(placeholders.height == golden.height)
    #expect(placeholders.orientation.rawValue == golden.orientation)
    #expect(placeholders.hasAlpha == golden.hasAlpha)
    #expect(placeholders.isAnimated == golden.isAnimated)
    let hash = try #require(placeholders.blurHash)
    #expect(hash.components == golden.components)
    // JPEGReaderTests compares regular textures, whose light is estimated.
    guard !golden.path.hasSuffix("-progressive-272x264.jpg") else { return }
    if !Self.flat.contains(golden.path) {
      #expect(hash.differences(from: golden.blurHash).allSatisfy { $0 <= 2 })
    }
    let limit = golden.path == "jpeg-stripes-528x520.jpg" ? 2.01 : 2
    #expect(golden.maximumDifference(from: placeholders.averageColor) <= limit)
  }

  @Test func `the BlurHash of an exact decode matches at least 99 percent of the reference digits`()
    throws
  {
    var differences: [Int] = []
    for golden in try Golden.rows() where !Self.flat.contains(golden.path) {
      let placeholders = try PlaceholderEncoder(decoding: .exact).encode(fixture: golden.path)
      let hash = try #require(placeholders.blurHash)
      let ownDifferences = hash.differences(from: golden.blurHash)
      #expect(ownDifferences.allSatisfy { $0 <= 1 }, "\(golden.path): \(hash)")
      #expect(golden.maximumDifference(from: placeholders.averageColor) <= 1, "\(golden.path)")
      differences += ownDifferences
    }
    #expect(differences.count { $0 == 0 } * 100 >= differences.count * 99)
  }

  @Test func `placeholders generated together equal those generated alone`() throws {
    let all = try PlaceholderEncoder { $0.kinds = PlaceholderKind.allCases }
      .encode(fixture: "png-rgba-8-bit.png")
    for kind in PlaceholderKind.allCases {
      let one = try PlaceholderEncoder { $0.kinds = [kind] }.encode(fixture: "png-rgba-8-bit.png")
      #expect(one.blurHash == nil || one.blurHash == all.blurHash)
      #expect(one.lqip == nil || one.lqip == all.lqip)
      #expect(one.thumbHash == nil || one.thumbHash == all.thumbHash)
      #expect(one.tiny == nil || one.tiny == all.tiny)
      #expect(one.preview == nil || one.preview == all.preview)
      #expect(one.css == nil || one.css == all.css)
      #expect(one.palette == nil || one.palette == all.palette)
    }
    #expect(all.isOpaque == false && all.thumbHash?.hasAlpha == true)
  }

  @Test func `the corners method reads all cells of the image`() throws {
    let encoder = PlaceholderEncoder {
      $0.kinds = [.lqip]
      $0.lqip.method = .corners
    }
    for name in ["size-640x480.png", "size-31x57.png"] {
      let grid = try ImageDecoder().decode(fixture: name).grid
      #expect(try encoder.encode(fixture: name).lqip == LQIP(encoding: grid, method: .corners))
    }
  }

  /// `lqip encode --update` reuses the records of the same algorithm version.
  @Test func `placeholders change only with the algorithm version`() {
    // FNV-1a
    let checksum = (0..<100).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { checksum, seed in
      GeneratedImage.placeholders(seed: seed).utf8
        .reduce(checksum) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    #expect(PlaceholderEncoder.algorithmVersion == 16)
    #expect(checksum == 16_115_231_344_119_538_126)
  }
}
