import PlaceholdersTestSupport

@testable import Placeholders

extension PixelGrid {
  /// The OKLab distances of a rendering at 48×48 points: mean and root mean square at 48, 12, 6 and 3 cells per side.
  func distances(ofRendered colors: [SIMD3<Float>], _ layers: [LQIPGradient]) -> [Float] {
    let light = (0..<48 * 48).map { point in
      let weights = LQIPWeights.weights(
        x: (Float(point % 48) + 0.5) / 48, y: (Float(point / 48) + 0.5) / 48, layers: layers)
      return IEC61966.linear(ofEncoded: LQIPWeights.mix(colors, by: weights))
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
