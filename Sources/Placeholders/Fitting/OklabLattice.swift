/// An image prepared for the fit of a BlurHash: the means and variances of equal parts in OKLab.
struct OklabLattice: Sendable {
  let side: Int

  /// The mean of each part, row-major.
  let means: [SIMD3<Float>]

  /// The mean squared distance of the points of each part from their mean.
  ///
  /// With variances, a few parts can replace many points: the mean distance between a color and the points of a part is
  /// about `sqrt(|color - mean|² + variance)`.
  let variances: [Float]
}

extension OklabLattice {
  /// Divides a grid into `side` × `side` parts of one point each.
  init(_ grid: PixelGrid, side: Int) {
    self.init(
      side: side,
      means: grid.points(width: side, height: side)
        .map { FastOklab.components(linear: $0.xyz).components },
      variances: Array(repeating: 0, count: side * side))
  }

  /// Whether the image looks gray: its mean chroma is negligible, and none of its 8×8 parts has a visible tint.
  var isNeutral: Bool {
    chromas.reduce(0, +) / Float(means.count) <= 0.005
      && coarsened(by: side / 8).chromas.allSatisfy { $0 <= 0.02 }
  }

  /// The distance of each part from gray.
  private var chromas: [Float] {
    means.map { ($0.y * $0.y + $0.z * $0.z).squareRoot() }
  }

  /// Returns the approximate mean distance between a color and the points of a part.
  @inline(__always)
  func distance(of color: SIMD3<Float>, fromPart part: Int) -> Float {
    let difference = color - means[part]
    return (dot(difference, difference) + variances[part]).squareRoot()
  }

  /// Combines each square of `factor` × `factor` parts into one part.
  func coarsened(by factor: Int) -> OklabLattice {
    let coarseSide = side / factor
    let parts = (0..<coarseSide * coarseSide).map { part in
      let first = part / coarseSide * factor * side + part % coarseSide * factor
      var (sum, squares) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
      for y in 0..<factor {
        for x in 0..<factor {
          let point = means[first + y * side + x]
          sum += point
          squares += point * point
        }
      }
      let mean = sum / Float(factor * factor)
      return (mean: mean, variance: max(0, (squares / Float(factor * factor) - mean * mean).sum()))
    }
    return OklabLattice(
      side: coarseSide, means: parts.map { $0.mean }, variances: parts.map { $0.variance })
  }
}
