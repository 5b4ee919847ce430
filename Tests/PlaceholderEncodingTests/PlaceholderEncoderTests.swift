import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PlaceholderEncoderTests {
  /// Large flat images, whose reference hash contains a false gradient.
  private static let flat: Set = [
    "jpeg-lines-progressive-272x264.jpg", "jpeg-progressive-repeated-dc-gray-1600x1400.jpg",
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
    if !Self.flat.contains(golden.path) {
      #expect(hash.differences(from: golden.blurHash).allSatisfy { $0 <= 2 })
    }
    #expect(golden.maximumDifference(from: placeholders.averageColor) <= 2)
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

  @Test(arguments: ["size-300x200.png", "jpeg-half-scale-560x520.jpg"], [1, 5, 9])
  func `the BlurHash has the requested component count`(fixture: String, x: Int) throws {
    let components = BlurHash.ComponentCount(x: x, y: 10 - x)
    let encoder = PlaceholderEncoder { $0.blurHash.components = .exactly(components) }
    let hash = try #require(try encoder.encode(fixture: fixture).blurHash)
    #expect(hash.components == components)
    #expect(hash.description.utf8.count == 4 + 2 * x * (10 - x))
  }

  @Test func `setting the component count changes only the BlurHash`() throws {
    let own = try PlaceholderEncoder { $0.blurHash.components = .exactly(x: 2, y: 2) }
      .encode(fixture: "size-300x200.png")
    let automatic = try PlaceholderEncoder().encode(fixture: "size-300x200.png")
    #expect(own.blurHash?.averageColor == automatic.blurHash?.averageColor)
    #expect(own.lqip == automatic.lqip)
    #expect(own.averageColor == automatic.averageColor)
  }

  @Test func `three more LQIP colors are computed only on request`() throws {
    var encoder = PlaceholderEncoder()
    let plain = try encoder.encode(fixture: "jpeg-baseline-420.jpg")
    encoder.options.lqip.method = .six
    let placeholders = try encoder.encode(fixture: "jpeg-baseline-420.jpg")
    #expect(plain.lqip?.second == nil)
    #expect(placeholders.lqip?.second != nil)
    #expect(placeholders.lqip?.first == plain.lqip?.first)
  }

  @Test(arguments: [
    ("png-rgb-8-bit.png", ImageFormat.png), ("jpeg-baseline-420.jpg", .jpeg),
    ("png-named-jpg.jpg", .png), ("jpeg-named-png.png", .jpeg),
  ])
  func `the format is detected from the bytes, not from the name`(
    fixture: String, format: ImageFormat
  ) throws {
    #expect(try PlaceholderEncoder().encode(fixture: fixture).format == format)
  }

  /// `lqip encode --update` reuses the records of the same algorithm version.
  @Test func `placeholders change only with the algorithm version`() {
    // FNV-1a
    let checksum = (0..<100).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { checksum, seed in
      GeneratedImage.placeholders(seed: seed).utf8
        .reduce(checksum) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    #expect(PlaceholderEncoder.algorithmVersion == 11)
    #expect(checksum == 4_061_436_078_966_326_257)
  }
}
