import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashObjectiveTests {
  @Test func `the scales count three times, once and half`() {
    let grid = PixelGrid(width: 60, height: 40) { _, _ in SIMD3(0.5, 0.1, 0.2) }
    let objective = BlurHashObjective(
      grid, points: OklabLattice(grid, side: 48),
      components: ComponentCount(x: 1, y: 1))
    let distances = objective.distances(of: [SIMD3(0.2, 0.4, 0.3)])
    let one = Oklab(linear: SIMD3(0.5, 0.1, 0.2)).distance(to: Oklab(linear: SIMD3(0.2, 0.4, 0.3)))
    for (distance, weight) in zip([distances.x, distances.y, distances.z], [3, 1, 0.5] as [Float]) {
      #expect(abs(distance - weight * one) < 1e-3)
    }
  }
}
