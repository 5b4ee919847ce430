import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPGradientTests {
  private static let gradient = LQIPGradient(center: [0.5, 0.5], radius: [0.5, 0.25])

  @Test func `a gradient is opaque at its center and transparent at its radius`() {
    #expect(Self.gradient.opacity(x: 0.5, y: 0.5) == 1)
    for (x, y) in [(1, 0.5), (0, 0.5), (0.5, 0.75), (0.5, 0.25), (0, 0), (3, -2)]
      as [(Float, Float)]
    {
      #expect(Self.gradient.opacity(x: x, y: y) == 0)
    }
  }

  /// Source: frzi/lqip-css, whose stylesheet omits the stop at 50%.
  @Test(
    arguments: [
      (0.1, 0.98), (0.2, 0.92), (0.3, 0.82), (0.4, 0.68), (0.5, 0.5), (0.6, 0.32), (0.7, 0.18),
      (0.8, 0.08), (0.9, 0.02), (0.25, 0.87), (0.95, 0.01),
    ] as [(Float, Float)])
  func `opacity decreases from stop to stop in every direction`(
    radii: Float, opacity: Float
  ) {
    let gradient = Self.gradient
    let directions: [SIMD2<Float>] = [
      [1, 0], [-1, 0], [0, 1], [0, -1], [0.6, 0.8], [-0.8, 0.6],
    ]
    for direction in directions {
      let position = gradient.center + direction * gradient.radius * radii
      #expect(abs(gradient.opacity(x: position.x, y: position.y) - opacity) < 1e-5)
    }
  }
}

@Suite struct LQIPWeightsTests {
  @Test(arguments: [LQIPGradient.forThreeColors, LQIPGradient.forSixColors])
  func `the weights at a position sum to one`(layers: [LQIPGradient]) {
    for position in 0..<100 {
      let weights = LQIPWeights.weights(
        x: Float(position % 10) / 9, y: Float(position / 10) / 9, layers: layers)
      #expect(abs(weights.sum() - 1) < 1e-5)
      #expect(weights.min() >= 0)
    }
  }

  @Test(arguments: [LQIPGradient.forThreeColors, LQIPGradient.forSixColors])
  func `the weights of a part are the means of the weights at its points`(layers: [LQIPGradient]) {
    let scaled = LQIPWeights.scaled(layers: layers)
    #expect(scaled.count == layers.count + 1)
    scaled.planes.with { planes in
      for group in ScaleLayout.all {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          let count = part.size * 4
          var mean = LQIPWeights.ColorWeights.zero
          for index in 0..<count * count {
            mean += LQIPWeights.weights(
              x: (Float(part.column * 4 + index % count) + 0.5) / 48,
              y: (Float(part.row * 4 + index / count) + 0.5) / 48, layers: layers)
          }
          mean /= Float(count * count)
          for color in 0...layers.count {
            #expect(abs(planes[color][group][lane] - mean[color]) < 1e-5)
          }
        }
      }
    }
  }
}
