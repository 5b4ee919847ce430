import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPObjectiveTests {
  private static let grid = PixelGrid(width: 96, height: 64) { x, y in
    let edge: Float = x < 20 + y ? 0.6 : 0.1
    return SIMD3(edge, Float(x) / 200 + 0.2, Float(y) / 90 + 0.1)
  }

  private static func objective(_ layers: [LQIPGradient], base: [SIMD3<Float>]) -> LQIPObjective {
    LQIPObjective(
      image: ScaledImage(grid), weights: LQIPGradient.weights(layers: layers), base: base)
  }

  private static func fields(_ random: inout LCG) -> PackedFields {
    var fields = PackedFields.zero
    for field in 0..<9 { fields[field] = Float.random(in: 0.1...0.9, using: &random) }
    return fields
  }

  @Test(arguments: [LQIPGradient.forThreeColors, LQIPGradient.forSixColors])
  func `the objective equals the distance of the rendering from the image at four scales`(
    layers: [LQIPGradient]
  ) {
    var random = LCG(seed: 7)
    for _ in 0..<10 {
      let base = layers.count == 2 ? [] : LQIP.PackedColors(rawValue: 0x6590_F691).colors
      let fields = Self.fields(&random)
      let colors =
        base + (0..<3).map { SIMD3(fields[$0 * 3], fields[$0 * 3 + 1], fields[$0 * 3 + 2]) }
      let found = Self.objective(layers, base: base).distance(fields)
      let exact = Self.grid.distances(ofRendered: colors, layers)
      for scale in 0..<4 {
        // The finest scale uses four points per part, which have less variance.
        let tolerance: Float = scale == 0 ? 0.01 : 0.002
        #expect(abs(found.means[scale] - exact[scale * 2]) < tolerance)
        #expect(abs(found.roots[scale] - exact[scale * 2 + 1]) < tolerance)
      }
    }
  }

  @Test func `the slope of the model matches finite differences of the objective`() {
    let objective = Self.objective(LQIPGradient.forThreeColors, base: [])
    var random = LCG(seed: 11)
    let step: Float = 0.02
    for _ in 0..<5 {
      let origin = Self.fields(&random)
      let model = objective.model(at: origin, distance: objective.distance(origin))
      for field in 0..<9 {
        var (above, below) = (origin, origin)
        above[field] += step
        below[field] -= step
        let exact = objective.distance(above).sum - objective.distance(below).sum
        let predicted = model.change(to: above) - model.change(to: below)
        #expect(abs(exact - predicted) < 0.1 * abs(exact) + 0.0015)
      }
    }
  }

  @Test func `the penalty of a distance includes exceeded limits and the loss of a figure`() {
    let distance = ScaledDistance(
      means: [0.1, 0.2, 0.3, 0.4], meanSquares: [0.25, 0.36, 0.49, 0.64], figureLoss: 0.5)
    let within = SIMD8<Float>(repeating: 1)
    #expect(abs(distance.penalty(beyond: within) - 4) < 1e-6)
    var limits = within
    limits[1] = 0.1
    limits[7] = 0.6
    #expect(abs(distance.penalty(beyond: limits) - (4 + 40 * 0.3)) < 1e-4)
  }
}

extension PixelGrid {
  /// The OKLab distances of a rendering at 48×48 points: mean and root mean square at 48, 12, 6 and 3 cells per side.
  func distances(ofRendered colors: [SIMD3<Float>], _ layers: [LQIPGradient]) -> [Float] {
    let light = (0..<48 * 48).map { point in
      IEC61966.linear(
        ofEncoded: LQIPGradient.mix(
          colors, layers: layers, x: (Float(point % 48) + 0.5) / 48,
          y: (Float(point / 48) + 0.5) / 48))
    }
    return [48, 12, 6, 3].flatMap { side -> [Float] in
      let size = 48 / side
      let distances = points(width: side, height: side).enumerated().map { cell, mean in
        let points = (0..<size * size).map { index in
          light[(cell / side * size + index / size) * 48 + cell % side * size + index % size]
        }
        let shown = points.reduce(.zero, +) / Float(points.count)
        return Oklab(linear: shown).distance(to: Oklab(linear: mean.xyz))
      }
      let count = Float(distances.count)
      let squares = distances.reduce(0) { $0 + $1 * $1 }
      return [distances.reduce(0, +) / count, (squares / count).squareRoot()]
    }
  }
}
