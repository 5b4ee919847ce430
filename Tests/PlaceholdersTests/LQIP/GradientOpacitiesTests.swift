import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GradientOpacitiesTests {
  private static let gradients = LQIPGradient.forSixColors + IntegerLQIPLayer.gradients

  @Test(arguments: [(1, 1), (2, 3), (7, 5), (64, 48)])
  func `the opacity at a pixel is that of the gradient there`(size: (Int, Int)) {
    let opacities = GradientOpacities(Self.gradients, width: size.0, height: size.1)
    for (index, gradient) in Self.gradients.enumerated() {
      for y in 0..<size.1 {
        for x in 0..<size.0 {
          let expected = gradient.opacity(
            x: (Float(x) + 0.5) / Float(size.0), y: (Float(y) + 0.5) / Float(size.1))
          let opacity = opacities.lanes(of: index, x / 4, y: y)[x % 4]
          #expect(abs(opacity - expected) < 1e-6, "(\(x), \(y))")
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 5), (64, 48)])
  func `six colors are mixed by their weights at each pixel`(size: (Int, Int)) {
    let (first, second) = (PackedLQIP(rawValue: 0x6590_F691), PackedLQIP(rawValue: 0x1234_A678))
    let bitmap = first.bitmap(width: size.0, height: size.1, second: second)
    for pixel in 0..<size.0 * size.1 {
      let weights = LQIPWeights.weights(
        x: (Float(pixel % size.0) + 0.5) / Float(size.0),
        y: (Float(pixel / size.0) + 0.5) / Float(size.1), layers: LQIPGradient.forSixColors)
      let color = LQIPWeights.mix(first.colors + second.colors, by: weights) * 255
      for channel in 0..<3 {
        #expect(abs(Float(bitmap.samples[pixel * 3 + channel]) - color[channel]) < 0.501)
      }
    }
  }
}
