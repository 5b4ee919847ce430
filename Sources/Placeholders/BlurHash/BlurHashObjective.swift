/// How far a decoded preview is from an image: the mean distances in OKLab at three scales, together.
///
/// At a fine scale alone the least distance is like a median, and gives up what is small or tints what is
/// large.
struct BlurHashObjective: Sendable {
  /// The image at one scale.
  private struct Scale {
    let image: OklabLattice

    /// What its mean distance counts.
    let weight: Float

    /// The mean of each term's cosines over the parts of the image: `count` for each part.
    let cosines: [Float]
  }

  private let scales: [Scale]
  private let count: Int

  /// Prepares an image, and the cosines of the decoder.
  ///
  /// - Parameters:
  ///   - sampler: The image, in linear light.
  ///   - points: The same as 48×48 points.
  ///   - components: The terms.
  init(_ sampler: GridSampler, points: OklabLattice, components: ComponentCount) {
    count = components.count
    func means(_ componentCount: Int, _ side: Int) -> [[Float]] {
      let size = points.side / side
      return CosineBasis(componentCount: componentCount, length: points.side).values.map { values in
        (0..<side).map { values[$0 * size..<($0 + 1) * size].reduce(0, +) / Float(size) }
      }
    }
    scales = ([(16, 3), (6, 1), (3, 0.5)] as [(Int, Float)]).map { side, weight in
      let columns = means(components.x, side)
      let rows = means(components.y, side)
      return Scale(
        image: side == 16
          ? points.coarsened(by: points.side / side)
          : OklabLattice(sampler.squared(side: side)),
        weight: weight,
        cosines: (0..<side * side).flatMap { part in
          let (y, x) = part.quotientAndRemainder(dividingBy: side)
          return rows.flatMap { row in columns.map { $0[x] * row[y] } }
        })
    }
  }

  /// The distance of the preview that these terms draw.
  func distance(of terms: [SIMD3<Float>]) -> Float { distances(of: terms).sum() }

  /// What each scale has of that, from the finest on.
  func distances(of terms: [SIMD3<Float>]) -> SIMD3<Float> {
    var distances = SIMD3<Float>.zero
    for (index, scale) in scales.enumerated() {
      var sum: Float = 0
      for part in scale.image.means.indices {
        let shown = clamped(light(of: terms, scale.cosines, part), to: .one)
        sum += scale.image.distance(
          of: FastOklab.components(linear: shown).components, fromPart: part)
      }
      distances[index] = scale.weight * sum / Float(scale.image.means.count)
    }
    return distances
  }

  /// The summed distances as a quadratic function around some terms.
  func model(at terms: [SIMD3<Float>]) -> QuadraticModel {
    // Beyond what can be shown a term changes nothing; but a little of a slope leads back.
    let slopeBeyond: Float = 0.3
    var model = QuadraticModel(origin: terms)
    for scale in scales {
      let image = scale.image
      for part in image.means.indices {
        let light = light(of: terms, scale.cosines, part)
        let shown = clamped(light, to: .one)
        let (components, roots) = FastOklab.components(linear: shown)
        let slope = SIMD3<Float>.one.replacing(with: slopeBeyond, where: light .!= shown)
        model.addDistance(
          components - image.means[part], variance: image.variances[part],
          share: scale.weight / Float(image.means.count),
          derivatives: FastOklab.derivatives(coneRoots: roots, slope: slope, leastSquare: 0.016)
        ) { scale.cosines[part * count + $0] }
      }
    }
    return model
  }

  @inline(__always)
  private func light(
    of terms: [SIMD3<Float>], _ cosines: [Float], _ part: Int
  ) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for term in 0..<count { sum += cosines[part * count + term] * terms[term] }
    return sum
  }
}
