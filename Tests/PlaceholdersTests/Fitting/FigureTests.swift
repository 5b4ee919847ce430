import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct FigureTests {
  /// An image with a disc that covers a quarter of the area, below the center.
  private static func grid(figure: Float, ground: (_ x: Int, _ y: Int) -> Float) -> PixelGrid {
    PixelGrid(width: 48, height: 48) { x, y in
      let (across, down) = (Float(x) - 23.5, Float(y) - 29.5)
      let isInside = across * across + down * down < 13.5 * 13.5
      return SIMD3(repeating: isInside ? figure : ground(x, y))
    }
  }

  private static func loss(of grid: PixelGrid, in figure: Figure, wanted: Float) -> Float {
    ScaledImage(grid).planes.with { planes in
      figure.loss(in: ScaledImage.View(planes).colors, wanted: wanted)
    }
  }

  @Test func `a disc on a plain background is detected as a figure`() throws {
    let grid = Self.grid(figure: 0.8) { _, _ in 0.1 }
    let figure = try #require(ScaledImage(grid).figure)
    // The edges of the disc are sharper than the parts in which contrast is measured.
    #expect(Self.loss(of: grid, in: figure, wanted: 1) < 0.001)
    let plain = PixelGrid(width: 48, height: 48) { _, _ in SIMD3(repeating: 0.1) }
    #expect(abs(Self.loss(of: plain, in: figure, wanted: 0.66) - 0.66) < 0.001)
    let inverse = Self.grid(figure: 0.1) { _, _ in 0.8 }
    #expect(Self.loss(of: inverse, in: figure, wanted: 0) > 0.8)
  }

  @Test func `a wrong figure color counts as a loss`() throws {
    let grid = Self.grid(figure: 0.8) { _, _ in 0.1 }
    let figure = try #require(ScaledImage(grid).figure)
    let red = PixelGrid(
      columnBounds: grid.columnBounds, rowBounds: grid.rowBounds,
      light: grid.light.map { $0.x > 0.5 ? [0.9, 0.7, 0.7, 0] : $0 })
    #expect(Self.loss(of: red, in: figure, wanted: 0) > 0.005)
    #expect(Self.loss(of: grid, in: figure, wanted: 0) < 0.001)
  }

  @Test func `a faint disc, a disc on a gradient and a plain image have no figure`() {
    #expect(ScaledImage(Self.grid(figure: 0.12) { _, _ in 0.1 }).figure == nil)
    let gradient = Self.grid(figure: 0.8) { x, _ in 0.01 + 0.01 * Float(x) }
    #expect(ScaledImage(gradient).figure == nil)
    let plain = PixelGrid(width: 48, height: 48) { _, _ in [0.3, 0.4, 0.5] }
    #expect(ScaledImage(plain).figure == nil)
  }

  @Test func `several colors on a plain background are not a figure`() {
    func grid(_ colors: [SIMD3<Float>]) -> PixelGrid {
      PixelGrid(width: 48, height: 48) { x, y in
        (12..<36).contains(x) && (12..<36).contains(y)
          ? colors[(x / 6 + y / 6) % colors.count] : [0.02, 0.3, 0.5]
      }
    }
    let (dark, light): (SIMD3<Float>, SIMD3<Float>) = ([0.02, 0.03, 0.1], [0.9, 0.9, 0.9])
    #expect(ScaledImage(grid([dark])).figure != nil)
    #expect(ScaledImage(grid([light])).figure != nil)
    #expect(ScaledImage(grid([dark, light])).figure == nil)
  }

  @Test func `the wanted contrast is lower if the gradients cannot render the figure`() throws {
    let weights = LQIPGradient.weights(layers: LQIPGradient.forThreeColors)
    let disc = try #require(ScaledImage(Self.grid(figure: 0.8) { _, _ in 0.1 }).figure)
    let stripe = PixelGrid(width: 48, height: 48) { x, _ in SIMD3(repeating: x < 8 ? 0.8 : 0.1) }
    let atTheLeft = try #require(ScaledImage(stripe).figure)
    #expect((0.3...0.66).contains(disc.wantedContrast(weights)))
    // All three gradients are as wide as the image, so none can render its left side alone.
    #expect((0...0.3).contains(atTheLeft.wantedContrast(weights)))
  }
}
