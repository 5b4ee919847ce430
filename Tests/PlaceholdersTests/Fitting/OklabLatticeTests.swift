import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct OklabLatticeTests {
  @Test func `coarsened parts have the mean and variance of their points`() {
    let points = OklabLattice(PixelGrid.noise(width: 32, height: 32), side: 32)
    let parts = points.coarsened(by: 4)
    #expect(parts.side == 8)
    for part in 0..<64 {
      let members = (0..<16).map { index in
        points.means[(part / 8 * 4 + index / 4) * 32 + part % 8 * 4 + index % 4]
      }
      let mean = members.reduce(.zero, +) / 16
      let variance = members.reduce(0) { $0 + dot($1 - mean, $1 - mean) } / 16
      #expect(dot(parts.means[part] - mean, parts.means[part] - mean) < 1e-10)
      #expect(abs(parts.variances[part] - variance) < 1e-5)
    }
  }

  @Test(arguments: [
    ("flat-gray-128.png", true), ("jpeg-gray.jpg", true), ("jpeg-baseline-420.jpg", false),
    ("two-colors.png", false),
  ])
  func `only an image without color is neutral`(fixture: String, isNeutral: Bool) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    #expect(OklabLattice(grid, side: 32).isNeutral == isNeutral)
  }
}
