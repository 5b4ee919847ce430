import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PixelGridAreasTests {
  @Test func `points equal the cells of a grid of the same size`() {
    let grid = PixelGrid.noise(width: 31, height: 17)
    let points = grid.points(width: 31, height: 17)
    #expect(points.map { $0.xyz } == grid.cells)
  }

  @Test func `the points of a gray grid are gray`() {
    let grid = PixelGrid(width: 100, height: 70) { x, y in
      SIMD3(repeating: Float(x * y % 97) / 97)
    }
    for point in grid.points(width: 24, height: 24) {
      #expect(point.x == point.y && point.y == point.z)
    }
  }

  @Test func `points next to bright light are not negative`() {
    let stripes: [SIMD3<Float>] = [.one, .zero, SIMD3(0.0003, 1, 0), SIMD3(1, 0.01, 0.3)]
    let grid = PixelGrid(width: 127, height: 111) { x, y in stripes[(x / 3 + y / 5) % 4] }
    for side in [5, 24, 31, 32, 48] {
      let points = grid.points(width: side, height: side)
      #expect(points.allSatisfy { $0.min() >= 0 })
    }
  }

  @Test(arguments: [1, 2, 4, 128] as [UInt8])
  func `a uniform color stays uniform at any alpha`(alpha: UInt8) throws {
    let pixel: [UInt8] = [60, 30, 10, alpha]
    let pixels = (0..<300 * 200).flatMap { _ in pixel }
    let grid = try PixelGrid(pixels: pixels, width: 300, height: 200, format: .rgba)
    let bitmap = try grid.bitmap(width: 24, height: 16)
    #expect(bitmap.pixels.count == 24 * 16 * 4)
    #expect(bitmap.pixels[3] == alpha)
    #expect(zip(bitmap.pixels, bitmap.pixels.dropFirst(4)).allSatisfy { $0 == $1 })
  }
}

@Suite struct PixelGridBitmapTests {
  @Test(arguments: [SRGBColor.white, .black, SRGBColor(red: 10, green: 200, blue: 90)])
  func `a bitmap contains the source pixels without the background`(background: SRGBColor) throws {
    var random = LCG(seed: 3)
    let samples = random.bytes(60 * 40 * 4)
    let bitmap = try PixelGrid(
      pixels: samples, width: 60, height: 40, format: .rgba, background: background
    ).bitmap(width: 60, height: 40)
    for pixel in 0..<60 * 40 {
      let alpha = samples[pixel * 4 + 3]
      #expect(bitmap.pixels[pixel * 4 + 3] == alpha)
      guard alpha > 0 else { continue }
      #expect(bitmap.pixels[pixel * 4..<pixel * 4 + 3] == samples[pixel * 4..<pixel * 4 + 3])
    }
  }

  @Test func `colors are averaged with alpha as their weight`() throws {
    // White with an alpha of one third, and a transparent pixel.
    let bitmap = try PixelGrid(
      pixels: [255, 255, 255, 85, 9, 9, 9, 0], width: 2, height: 1, format: .rgba
    ).bitmap(width: 1, height: 1)
    #expect(bitmap.pixels == [255, 255, 255, 43])
  }

  @Test(arguments: 1...8)
  func `alpha is oriented with the image`(number: Int) throws {
    let orientation = try #require(ImageOrientation(rawValue: number))
    var random = LCG(seed: 8)
    let samples = random.bytes(5 * 3 * 4)
    let alphas = (0..<15).map { SIMD3(repeating: Float(samples[$0 * 4 + 3]) / 255) }
    let grid = try PixelGrid(pixels: samples, width: 5, height: 3, format: .rgba)
    let planes = PixelGrid(
      columnBounds: grid.columnBounds, rowBounds: grid.rowBounds,
      light: alphas.map { SIMD4($0, 0) })
    #expect(grid.oriented(orientation).alphas == planes.oriented(orientation).cells.map(\.x))
  }

  @Test(arguments: try Golden.rows())
  func `an image is opaque if none of its pixels is transparent`(golden: Golden) throws {
    let grid = try ImageDecoder().decode(fixture: golden.path).grid
    #expect(grid.isOpaque == golden.isOpaque)
  }

  @Test func `an image with a single translucent pixel is not opaque`() {
    let columns = GridAxis(decodedLength: 65_536, sourceLength: 65_536, scale: 1)
    let rows = GridAxis(decodedLength: 128, sourceLength: 128, scale: 1)
    for alpha in [254, 255] as [UInt8] {
      var accumulator = GridAccumulator(
        columns: columns, rows: rows, layout: .grayAlpha, curves: .sRGB, matrix: .identity,
        background: .white)
      var row = Array(repeating: UInt8(255), count: 65_536 * 2)
      for y in 0..<128 {
        row[1] = y == 100 ? alpha : 255
        accumulator.add(row, y: y)
      }
      let grid = accumulator.finish()
      #expect(grid?.isOpaque == (alpha == 255))
    }
  }
}
