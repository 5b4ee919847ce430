import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct BlurHashFitTests {
  /// The mean distance of the preview from the image in exact OKLab, both averaged to cells.
  private static func distance(
    _ hash: BlurHash, from grid: PixelGrid, side: Int = 48
  ) -> Float {
    let preview = hash.bitmap(width: 48, height: 48)
    let extents = (0..<48).map { $0..<$0 + 1 }
    let pixels = PixelGrid(
      columns: extents, rows: extents, light: (0..<48).flatMap { preview.linearRow($0) })
    let pairs = zip(
      pixels.areaMeans(width: side, height: side), grid.areaMeans(width: side, height: side))
    return pairs.reduce(0) { $0 + Oklab(linear: $1.0).distance(to: Oklab(linear: $1.1)) }
      / Float(side * side)
  }

  @Test(
    arguments: ["jpeg-half-scale-560x520.jpg", "size-640x480.png", "jpeg-icc-display-p3.jpg"],
    [(4, 3), (3, 3), (5, 4)])
  func `the fitted terms are closer than the reference's`(
    fixture: String, counts: (Int, Int)
  ) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let components = ComponentCount(x: counts.0, y: counts.1)
    let fitted = BlurHash(fitting: grid, components: components)
    let reference = BlurHash(encoding: grid, components: components)
    #expect(fitted.components == components)
    #expect(try BlurHash(fitted.string) == fitted)
    #expect(Self.distance(fitted, from: grid) <= 0.95 * Self.distance(reference, from: grid))
    for side in [6, 3] {
      let limit = Self.distance(reference, from: grid, side: side)
      #expect(Self.distance(fitted, from: grid, side: side) <= 1.1 * limit)
    }
  }

  @Test(arguments: [0, 1, 77, 128, 200, 255] as [UInt8])
  func `a flat gray is exact`(gray: UInt8) {
    let color = SRGBColor(red: gray, green: gray, blue: gray)
    let grid = PixelGrid(width: 300, height: 200) { _, _ in color.linear }
    let hash = BlurHash(fitting: grid, components: ComponentCount(x: 4, y: 3))
    #expect(hash.averageColor == color)
    #expect(hash.bitmap(width: 20, height: 20).samples.allSatisfy { $0 == gray })
  }

  @Test(arguments: [(1, 1), (9, 9), (1, 9)])
  func `any number of terms can be fitted`(counts: (Int, Int)) throws {
    let grid = try ImageDecoder().decode(fixture: "jpeg-baseline-420.jpg").grid
    let components = ComponentCount(x: counts.0, y: counts.1)
    let fitted = BlurHash(fitting: grid, components: components)
    let reference = BlurHash(encoding: grid, components: components)
    #expect(Self.distance(fitted, from: grid) <= 1.001 * Self.distance(reference, from: grid))
  }

  @Test func `the strongest contrast has a hash`() throws {
    let grid = PixelGrid(width: 96, height: 96) { column, _ in
      SIMD3(repeating: column < 48 ? 1 : 0)
    }
    let fitted = BlurHash(fitting: grid, components: ComponentCount(x: 2, y: 1))
    #expect(try BlurHash(fitted.string) == fitted)
  }
}
