import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PalettePointsTests {
  @Test func `each point belongs to the mean that is nearest`() {
    let grid = PixelGrid.noise(width: 24, height: 24)
    let points = PalettePoints(grid)
    let means = points.farthest(from: points.mean)
    #expect(means.count == Palette.maximumCount)
    var expected = means.map { _ in SIMD4<Float>.zero }
    for light in grid.areaMeans(width: 24, height: 24) {
      let color = SIMD4(Oklab(linear: light).components, 0)
      let distances = means.map { mean in
        let offset = color - SIMD4(mean.xyz, 0)
        return (offset * offset).sum()
      }
      let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      expected[nearest] += color + SIMD4(0, 0, 0, 1)
    }
    for (sum, expected) in zip(points.sums(by: means), expected) {
      #expect(sum.w == expected.w)
      let offset = sum - expected
      #expect((offset * offset).sum().squareRoot() <= 0.001 * max(1, expected.w))
    }
  }
}
