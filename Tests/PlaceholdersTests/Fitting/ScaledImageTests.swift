import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ScaledImageTests {
  @Test func `corners are the means of encoded light over three of nine parts`() {
    let grid = PixelGrid.noise(width: 12, height: 12)
    let corners = ScaledImage(grid).corners
    for (corner, first) in zip(corners, [0, 4, 8]) {
      var sum = SIMD3<Double>.zero
      for row in first..<first + 4 {
        for column in first..<first + 4 {
          let light = grid.light[row * 12 + column].xyz
          for channel in 0..<3 {
            sum[channel] += IEC61966.encoded(ofLinear: Double(light[channel]))
          }
        }
      }
      let difference = SIMD3<Double>(corner) - sum / 16
      // Each of the sixteen is rounded to one of 256 steps.
      #expect(difference.max() < 0.5 / 255 && difference.min() > -0.5 / 255)
    }
  }
}
