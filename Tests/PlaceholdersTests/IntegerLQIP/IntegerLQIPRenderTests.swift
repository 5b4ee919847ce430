import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct IntegerLQIPRenderTests {
  /// Source: W3C, "Compositing and Blending Level 1", sections 9.1.2, 9.1.3 and 9.1.8.
  private static func hardLight(_ source: Double, over backdrop: Double) -> Double {
    let doubled = 2 * source
    return source <= 0.5
      ? backdrop * doubled : backdrop + (doubled - 1) - backdrop * (doubled - 1)
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 5), (64, 48)], [192_900, -524_288, 524_287, -3])
  func `cells are blended in hard light, the first one on top`(size: (Int, Int), value: Int) throws
  {
    let lqip = try #require(IntegerLQIP(value))
    let bitmap = lqip.bitmap(width: size.0, height: size.1)
    for pixel in 0..<size.0 * size.1 {
      let x = (Float(pixel % size.0) + 0.5) / Float(size.0)
      let y = (Float(pixel / size.0) + 0.5) / Float(size.1)
      for channel in 0..<3 {
        var sample = Double(lqip.base.encoded[channel])
        for cell in (0..<6).reversed() {
          let opacity = Double(IntegerLQIPLayer.gradients[cell].opacity(x: x, y: y))
          let gray = Double(lqip.levels[cell]) / 3 * 0.6 + 0.2
          sample += (Self.hardLight(gray, over: sample) - sample) * opacity
        }
        #expect(abs(Double(bitmap.samples[pixel * 3 + channel]) - sample * 255) < 0.501)
      }
    }
  }
}
