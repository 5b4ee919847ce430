import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct BlurHashFitTests {
  /// The mean distance of the preview from the image, at 48×48 points in exact OKLab.
  private static func distance(_ hash: BlurHash, from grid: PixelGrid) -> Float {
    let preview = hash.bitmap(width: 48, height: 48)
    let pixels = (0..<48).flatMap { preview.linearRow($0) }
    return zip(pixels, grid.areaMeans(width: 48, height: 48)).reduce(0) { sum, pair in
      sum + Oklab(linear: pair.0).distance(to: Oklab(linear: pair.1))
    } / Float(pixels.count)
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
}
