/// How far a decoded preview is from an image: the mean distance in OKLab.
struct BlurHashObjective: Sendable {
  private let image: OklabLattice

  /// The mean of each term's cosines over the parts of the image: `count` for each part.
  private let cosines: [Float]

  private let count: Int

  /// Prepares an image, and the cosines of the decoder.
  ///
  /// - Parameters:
  ///   - points: The image as points, a multiple of `side` in each direction.
  ///   - side: Parts across and down.
  ///   - components: The terms.
  init(points: OklabLattice, side: Int, components: ComponentCount) {
    image = points.coarsened(by: points.side / side)
    count = components.count
    func means(_ componentCount: Int) -> [[Float]] {
      let size = points.side / side
      return CosineBasis(componentCount: componentCount, length: points.side).values.map { values in
        (0..<side).map { values[$0 * size..<($0 + 1) * size].reduce(0, +) / Float(size) }
      }
    }
    let columns = means(components.x)
    let rows = means(components.y)
    cosines = (0..<side * side).flatMap { part in
      let (y, x) = part.quotientAndRemainder(dividingBy: side)
      return rows.flatMap { row in columns.map { $0[x] * row[y] } }
    }
  }

  /// The mean distance of the preview that these terms draw.
  func distance(of terms: [SIMD3<Float>]) -> Float {
    var sum: Float = 0
    for part in image.means.indices {
      let shown = clamped(light(of: terms, part), to: .one)
      sum += image.distance(of: FastOklab.components(linear: shown).components, fromPart: part)
    }
    return sum / Float(image.means.count)
  }

  /// The summed distances as a quadratic function around some terms.
  func model(at terms: [SIMD3<Float>]) -> QuadraticModel {
    // Beyond what can be shown a term changes nothing; but a little of a slope leads back.
    let slopeBeyond: Float = 0.3
    var model = QuadraticModel(origin: terms)
    for part in image.means.indices {
      let light = light(of: terms, part)
      let shown = clamped(light, to: .one)
      let (components, roots) = FastOklab.components(linear: shown)
      let slope = SIMD3<Float>.one.replacing(with: slopeBeyond, where: light .!= shown)
      model.addDistance(
        components - image.means[part], variance: image.variances[part],
        derivatives: FastOklab.derivatives(coneRoots: roots, slope: slope, leastSquare: 0.016)
      ) { cosines[part * count + $0] }
    }
    return model
  }

  @inline(__always)
  private func light(of terms: [SIMD3<Float>], _ part: Int) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for term in 0..<count { sum += cosines[part * count + term] * terms[term] }
    return sum
  }
}
