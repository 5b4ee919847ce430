import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridPointsTests {
  @Test(
    arguments: [(1, 1), (5, 3), (24, 24), (25, 23), (31, 57), (128, 96), (300, 1000)],
    [(24, 24), (7, 5), (67, 100), (3, 2)])
  func `points are the means of areas`(size: (Int, Int), count: (Int, Int)) {
    let grid = PixelGrid.noise(width: size.0, height: size.1)
    let points = grid.points(width: count.0, height: count.1)
    let means = grid.areaMeans(width: count.0, height: count.1)
    #expect(points.count == means.count)
    for (point, mean) in zip(points, means) {
      for channel in 0..<3 { #expect(abs(point[channel] - mean[channel]) < 1e-4) }
    }
  }
}
