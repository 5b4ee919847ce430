import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct QuadraticModelTests {
  /// The target mixes of two colors; the objective is half the squared distance from these targets.
  private static let wanted: [SIMD3<Float>] = [[0.2, 0.6, 0.4], [0.7, 0.1, 0.5]]
  private static let weights: [[Float]] = [[0.75, 0.25], [0.1, 0.9]]

  private static func distance(_ colors: [SIMD3<Float>]) -> Float {
    zip(weights, wanted).reduce(0) { sum, mix in
      let difference = mix.0[0] * colors[0] + mix.0[1] * colors[1] - mix.1
      return sum + dot(difference, difference) / 2
    }
  }

  private static func model(
    at colors: [SIMD3<Float>], wanted: [SIMD3<Float>] = Self.wanted
  ) -> QuadraticModel {
    var model = QuadraticModel(origin: colors)
    for (weights, wanted) in zip(weights, wanted) {
      model.add(
        slope: weights[0] * colors[0] + weights[1] * colors[1] - wanted,
        curvature: ([1, 0, 0], [0, 1, 0], [0, 0, 1])
      ) { weights[$0] }
    }
    return model
  }

  @Test func `the model of a quadratic function is exact`() {
    let origin: [SIMD3<Float>] = [[0.3, 0.3, 0.3], [0.6, 0.5, 0.4]]
    let end: [SIMD3<Float>] = [[0.9, 0.1, 0.2], [0, 1, 0.5]]
    let change = Self.model(at: origin).change(to: end)
    #expect(abs(change - (Self.distance(end) - Self.distance(origin))) < 1e-5)
  }

  @Test func `repeated minimization converges to colors that produce the target mixes`() {
    let origin = Array(repeating: SIMD3<Float>(repeating: 0.5), count: 2)
    var colors = origin
    for _ in 0..<20 { colors = Self.model(at: colors).minimizer() }
    #expect(Self.distance(colors) < 1e-6)
  }

  @Test func `the minimizer stays in range`() {
    let origin = Array(repeating: SIMD3<Float>(repeating: 0.5), count: 2)
    let colors = Self.model(at: origin, wanted: [[3, -3, 0], [3, -3, 0]]).minimizer()
    for color in colors {
      #expect(color.x == 1)
      #expect(color.y == -1)
      #expect(abs(color.z) < 0.1)
    }
  }
}
