import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridScalingTests {
  @Test(arguments: [0, 0.2, 1] as [Float])
  func `a flat grid has nothing to give back`(gray: Float) {
    let grid = PixelGrid(width: 9, height: 7) { _, _ in SIMD3(gray, gray / 2, 1 - gray) }
    #expect(grid.compensatedForScaling(pixelsPerCell: 2) == grid)
  }

  @Test(arguments: 2...8)
  func `a turned grid gives the turned grid`(value: Int) throws {
    let orientation = try #require(Orientation(rawValue: value))
    let grid = PixelGrid.noise(width: 21, height: 16)
    #expect(
      grid.oriented(orientation).compensatedForScaling(pixelsPerCell: 1.5)
        == grid.compensatedForScaling(pixelsPerCell: 1.5).oriented(orientation))
  }

  @Test func `light is given back, at most a tenth, and nowhere taken`() {
    let grid = PixelGrid.noise(width: 40, height: 30)
    let compensated = grid.compensatedForScaling(pixelsPerCell: 1)
    #expect(compensated != grid)
    for (before, after) in zip(grid.cells, compensated.cells) {
      #expect(all(after .>= before))
      #expect(all(after .<= SIMD3<Float>.one))
      #expect(all(after - before .<= 0.1 + 1e-6))
    }
  }

  @Test func `the more pixels a cell has, the less is given back`() {
    let grid = PixelGrid.noise(width: 40, height: 30)
    let few = grid.compensatedForScaling(pixelsPerCell: 1).average
    let many = grid.compensatedForScaling(pixelsPerCell: 16).average
    #expect(all(many .> grid.average))
    #expect(all(few .> many))
  }
}
