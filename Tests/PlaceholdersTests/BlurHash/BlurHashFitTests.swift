import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct BlurHashFitTests {
  /// The mean OKLab distance between preview and image, both averaged to `side` × `side` cells.
  private static func distance(
    _ hash: BlurHash, from grid: PixelGrid, side: Int = 48
  ) throws -> Float {
    let preview = try hash.bitmap(width: 48, height: 48)
    let bounds = Array(0...48)
    let pixels = PixelGrid(
      columnBounds: bounds, rowBounds: bounds, light: (0..<48).flatMap { preview.linearRow($0) })
    let pairs = zip(
      pixels.points(width: side, height: side), grid.points(width: side, height: side))
    return pairs.reduce(0) { $0 + Oklab(linear: $1.0.xyz).distance(to: Oklab(linear: $1.1.xyz)) }
      / Float(side * side)
  }

  @Test(
    arguments: ["jpeg-half-scale-560x520.jpg", "size-640x480.png", "jpeg-icc-display-p3.jpg"],
    [(4, 3), (3, 3), (5, 4)])
  func `a fitted hash is closer to the image than the reference hash`(
    fixture: String, counts: (Int, Int)
  ) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let components = BlurHash.ComponentCount(x: counts.0, y: counts.1)
    let fitted = BlurHash(fitting: grid, components: components)
    let reference = BlurHash(projecting: grid, components: components)
    #expect(fitted.components == components)
    #expect(try BlurHash(parsing: fitted.description) == fitted)
    #expect(try Self.distance(fitted, from: grid) <= 0.95 * Self.distance(reference, from: grid))
    for side in [6, 3] {
      let limit = try Self.distance(reference, from: grid, side: side)
      #expect(try Self.distance(fitted, from: grid, side: side) <= 1.1 * limit)
    }
  }

  @Test(arguments: [0, 1, 77, 128, 200, 255] as [UInt8])
  func `the fitted hash of a flat gray image is exact`(gray: UInt8) throws {
    let color = SRGBColor(red: gray, green: gray, blue: gray)
    let grid = PixelGrid(width: 300, height: 200) { _, _ in color.linear }
    let hash = BlurHash(fitting: grid, components: BlurHash.ComponentCount(x: 4, y: 3))
    #expect(hash.averageColor == color)
    #expect(try hash.bitmap(width: 20, height: 20).rgb.allSatisfy { $0 == gray })
  }

  @Test(arguments: [(1, 1), (9, 9), (1, 9)])
  func `with any component count, fitting adds at most 0.1 percent to the distance`(
    counts: (Int, Int)
  ) throws {
    let grid = try ImageDecoder().decode(fixture: "jpeg-baseline-420.jpg").grid
    let components = BlurHash.ComponentCount(x: counts.0, y: counts.1)
    let fitted = BlurHash(fitting: grid, components: components)
    let reference = BlurHash(projecting: grid, components: components)
    #expect(try Self.distance(fitted, from: grid) <= 1.001 * Self.distance(reference, from: grid))
  }

  @Test func `the fitted hash of an image of maximum contrast is valid`() throws {
    let grid = PixelGrid(width: 96, height: 96) { column, _ in
      SIMD3(repeating: column < 48 ? 1 : 0)
    }
    let fitted = BlurHash(fitting: grid, components: BlurHash.ComponentCount(x: 2, y: 1))
    #expect(try BlurHash(parsing: fitted.description) == fitted)
  }
}

@Suite struct QuantizedTermsTests {
  private static let components = BlurHash.ComponentCount(x: 3, y: 3)

  /// The value that a digit of an AC term represents.
  private static func value(of digit: Int, maximum: Int) -> Float {
    let root = Float(digit - 9) / 9
    return root * abs(root) * Float(maximum + 1) / 166
  }

  private static func model() -> QuadraticModel {
    let grid = PixelGrid.noise(width: 12, height: 9)
    let points = OklabLattice(grid, side: 48)
    return BlurHashObjective(grid, points: points, components: components)
      .model(at: BlurHash(projecting: grid, components: components).terms(punch: 1))
  }

  @Test(arguments: [2, 5, 11], [false, true])
  func `changing one digit does not reduce the error of the quantized terms`(
    maximum: Int, isGray: Bool
  ) {
    let model = Self.model()
    let terms = QuantizedTerms(model, quantizedMaximum: maximum, isGray: isGray).values
    let change = model.change(to: terms)
    for term in terms.indices.dropFirst() {
      for channels in isGray ? [[0, 1, 2]] : [[0], [1], [2]] {
        for digit in 0...18 {
          var other = terms
          for channel in channels {
            other[term][channel] = Self.value(of: digit, maximum: maximum)
          }
          #expect(model.change(to: other) >= change - 1e-5)
        }
      }
    }
  }
}
