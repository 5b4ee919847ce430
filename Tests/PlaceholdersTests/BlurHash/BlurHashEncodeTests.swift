import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

extension RGBABitmap {
  /// The colors of a row, in linear light.
  func linearRow(_ y: Int) -> [SIMD4<Float>] {
    stride(from: y * width * 4, to: (y + 1) * width * 4, by: 4).map { first in
      SIMD4(
        SRGB.linear[Int(pixels[first])], SRGB.linear[Int(pixels[first + 1])],
        SRGB.linear[Int(pixels[first + 2])], 0)
    }
  }
}

@Suite struct BlurHashEncodeTests {
  private static let reference = Result {
    Dictionary(grouping: try Fixtures.table("reference-blurhash.tsv")) { $0["path"] ?? "" }
  }

  @Test(arguments: try reference.get().keys.sorted())
  func `hashes of small images match the reference exactly`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let rows = try #require(try Self.reference.get()[fixture])
    #expect(rows.count == 81)
    for row in rows {
      let components = try #require(row["components"].flatMap(BlurHash.ComponentCount.init))
      let hash = BlurHash(encoding: grid, components: .exactly(components))
      #expect(hash.description == row["blurhash"])
    }
  }

  @Test(
    arguments: [(6400, 92), (4000, 3000), (1, 65_000), (129, 131)], [0, 128, 180, 255] as [UInt8])
  func `a large flat gray image stays flat`(size: (Int, Int), gray: UInt8) throws {
    let color = SRGBColor(red: gray, green: gray, blue: gray)
    let grid = PixelGrid(width: size.0, height: size.1) { _, _ in color.linear }
    let preview = try BlurHash(encoding: grid).bitmap(width: 64, height: 64)
    #expect(preview.rgb.allSatisfy { abs(Int($0) - Int(gray)) <= 1 })
  }

  @Test func `terms are quantized relative to the maximum`() {
    // A maximum of 0.25 is quantized to 0.25 · 166 - 0.5, rounded down: 41, which represents 42/166.
    let terms: [SIMD3<Float>] = [[1, 0, 0.5], [0.25, -0.25, 0], [0.0625, -0.01, 0.125]]
    let hash = BlurHash(quantizing: terms, components: BlurHash.ComponentCount(x: 3, y: 1))
    #expect(hash.quantizedMaximum == 41)
    #expect(hash.averageColor == SRGBColor(red: 255, green: 0, blue: 188))
    // sign(v) · √|v| · 9 + 9.5, rounded down, of 0.988, -0.988, 0 and 0.247, -0.0395, 0.494.
    #expect(hash.digits[4...] == [18, 0, 9, 13, 7, 15])
  }

  @Test func `terms out of range are clamped during quantization`() {
    let terms: [SIMD3<Float>] = [[2, -1, 0.5], [3, -3, 0]]
    let hash = BlurHash(quantizing: terms, components: BlurHash.ComponentCount(x: 2, y: 1))
    #expect(hash.digits == [82, 255, 0, 188, 18, 0, 9])
  }
}
