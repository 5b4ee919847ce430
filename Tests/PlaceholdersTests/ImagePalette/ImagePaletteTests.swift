import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ImagePaletteTests {
  private static func color(_ hex: String) throws -> SIMD3<Float> {
    try #require(SRGBColor(hex)).linear
  }

  @Test func `areas of one color become swatches with their shares of the image`() throws {
    let colors = try ["#c03020", "#2040a0", "#f0e0c0", "#108040"].map(Self.color)
    // The colors cover six, three, two and one of twelve columns.
    let parts = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3]
    let grid = PixelGrid(width: 24, height: 24) { x, _ in colors[parts[x / 2]] }
    let palette = ImagePalette(encoding: grid)
    #expect(
      palette.swatches.map(\.color.description) == ["#c03020", "#2040a0", "#f0e0c0", "#108040"])
    for (share, expected) in zip(palette.swatches.map(\.share), [6, 3, 2, 1]) {
      #expect(abs(share - Float(expected) / 12) < 1e-4)
    }
    #expect(palette.dominantColor?.description == "#c03020")
  }

  @Test(arguments: ["#000000", "#ffffff", "#336699"])
  func `the only color of an image has a share of one`(hex: String) throws {
    let color = try Self.color(hex)
    let swatches = ImagePalette(encoding: PixelGrid(width: 100, height: 3) { _, _ in color })
      .swatches
    #expect(swatches.map(\.color.description) == [hex])
    #expect(swatches.map(\.share) == [1])
  }

  @Test func `at most six swatches cover the image, largest first`() {
    for seed in 1...20 {
      let swatches = ImagePalette(encoding: .noise(width: 20 + seed, height: 30)).swatches
      #expect(1...6 ~= swatches.count)
      #expect(swatches.map(\.share) == swatches.map(\.share).sorted(by: >))
      #expect(abs(swatches.reduce(0) { $0 + $1.share } - 1) < 1e-4)
    }
  }

  @Test(arguments: [(124, 1), (132, 1), (170, 2)] as [(UInt8, Int)])
  func `colors that look the same are one swatch`(gray: UInt8, count: Int) {
    let colors = [gray, 128].map { SRGBColor(red: $0, green: $0, blue: $0) }
    let grid = PixelGrid(width: 24, height: 24) { x, _ in colors[x / 12].linear }
    #expect(ImagePalette(encoding: grid).swatches.count == count)
  }

  @Test func `a swatch is the mean of its pixels`() throws {
    let grid = PixelGrid.noise(width: 24, height: 24)
    let swatches = ImagePalette(encoding: grid).swatches
    try #require(swatches.count == ImagePalette.maximumCount)
    // The weighted mean of all swatches is therefore the mean of the image.
    let mean = swatches.reduce(SIMD3<Float>.zero) {
      $0 + $1.share * Oklab(linear: $1.color.linear).components
    }
    let sum = grid.cells.reduce(SIMD3<Float>.zero) { $0 + Oklab(linear: $1).components }
    let offset = mean - sum / Float(grid.cells.count)
    #expect(dot(offset, offset).squareRoot() < 0.002)
  }

  @Test func `transparent pixels are ignored`() throws {
    let pixels = (0..<8).flatMap { $0 < 6 ? [255, 0, 0, 0] : [0, 0, 255, 255] as [UInt8] }
    let grid = try PixelGrid(pixels: pixels, width: 8, height: 1, format: .rgba)
    #expect(ImagePalette(encoding: grid).swatches.map(\.color.description) == ["#0000ff"])
    let clear = try PixelGrid(pixels: [1, 2, 3, 0], width: 1, height: 1, format: .rgba)
    #expect(ImagePalette(encoding: clear).swatches.isEmpty)
  }
}
