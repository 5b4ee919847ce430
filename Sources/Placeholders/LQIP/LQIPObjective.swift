/// What a fit of a placeholder's colors minimizes, as quadratic functions around some of them.
struct LQIPObjective: Sendable {
  let weights: LQIPWeights
  let image: OklabLattice

  /// The problem of painting the image with least squares, in encoded light.
  func leastSquares(from colors: [SIMD3<Float>]) -> QuadraticModel {
    var model = QuadraticModel(origin: colors)
    for part in image.means.indices {
      let wanted = SRGB.encoded(ofLinear: Oklab(components: image.means[part]).linear)
      model.add(
        slope: weights.rendered(colors, part: part) - wanted,
        curvature: ([1, 0, 0], [0, 1, 0], [0, 0, 1])
      ) { weights.parts[part][$0] }
    }
    return model
  }

  /// The summed distances as a quadratic function around some colors.
  func model(at colors: [SIMD3<Float>]) -> QuadraticModel {
    var model = QuadraticModel(origin: colors)
    for part in image.means.indices {
      let (light, slope) = FastOklab.light(ofEncoded: weights.rendered(colors, part: part))
      let (components, roots) = FastOklab.components(linear: light)
      model.addDistance(
        components - image.means[part], variance: image.variances[part],
        derivatives: FastOklab.derivatives(coneRoots: roots, slope: slope, leastSquare: 0.001)
      ) { weights.parts[part][$0] }
    }
    return model
  }
}
