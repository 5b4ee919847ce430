/// An image for the fit of a BlurHash: the mean and variance of equal parts, in OKLab.
struct OklabLattice: Sendable {
  /// Parts across and down.
  let side: Int

  /// The mean of each part, row-major.
  let means: [SIMD3<Float>]

  /// The mean squared distance of each part's points from its mean.
  ///
  /// With it a few parts do for many points: the distance of a point from a color is on average about
  /// `sqrt(|color - mean|² + variance)`.
  let variances: [Float]

  /// Divides a grid into as many points across as down.
  init(_ grid: PixelGrid, side: Int) {
    self.side = side
    means = grid.points(width: side, height: side)
      .map { FastOklab.components(linear: $0.xyz).components }
    variances = Array(repeating: 0, count: means.count)
  }

  /// How far the parts' means are from gray, on average.
  private var meanChroma: Float { chromas.reduce(0, +) / Float(means.count) }

  /// How far the most colorful part's mean is from gray.
  private var largestChroma: Float { chromas.reduce(0, max) }

  private var chromas: [Float] {
    means.map { ($0.y * $0.y + $0.z * $0.z).squareRoot() }
  }

  /// Whether the image looks gray: hardly any color on average, and no part with a color that is seen.
  var isNeutral: Bool {
    meanChroma <= 0.005 && coarsened(by: side / 8).largestChroma <= 0.02
  }

  /// How far a color is from a part of the image, on average over the part's points.
  @inline(__always)
  func distance(of color: SIMD3<Float>, fromPart part: Int) -> Float {
    let difference = color - means[part]
    return (dot(difference, difference) + variances[part]).squareRoot()
  }

  /// Combines `factor` × `factor` parts into one.
  func coarsened(by factor: Int) -> OklabLattice {
    OklabLattice(combining: self, by: factor)
  }

  private init(combining points: OklabLattice, by factor: Int) {
    let side = points.side / factor
    self.side = side
    let parts = (0..<side * side).map { part -> (mean: SIMD3<Float>, variance: Float) in
      let first = part / side * factor * points.side + part % side * factor
      var sum = SIMD3<Float>.zero
      var squares = SIMD3<Float>.zero
      for y in 0..<factor {
        for x in 0..<factor {
          let point = points.means[first + y * points.side + x]
          sum += point
          squares += point * point
        }
      }
      let mean = sum / Float(factor * factor)
      return (mean, max(0, (squares / Float(factor * factor) - mean * mean).sum()))
    }
    means = parts.map { $0.mean }
    variances = parts.map { $0.variance }
  }
}
