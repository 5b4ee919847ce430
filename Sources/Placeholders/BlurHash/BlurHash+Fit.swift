extension BlurHash {
  /// Chooses the hash whose preview comes closest to an image, for the decoder that everyone has.
  ///
  /// The reference projects the image onto its cosines, which gives the best coefficients only for an
  /// orthogonal basis; and then rounds each by itself. Here the terms are fitted to the image as the eye
  /// sees it, in OKLab, and quantized together.
  ///
  /// - Parameters:
  ///   - grid: The image, in linear light.
  ///   - components: How many terms to keep.
  /// - Complexity: O(terms² · quantized maxima), some milliseconds for 4×3 components.
  public init(fitting grid: PixelGrid, components: ComponentCount) {
    let reference = BlurHash(encoding: grid, components: components)
    let sampler = GridSampler(grid)
    let points = OklabLattice(sampler.squared(side: 48))
    let objective = BlurHashObjective(sampler, points: points, components: components)
    let model = objective.minimum(from: reference.terms(punch: 1))
    let fitted = Self.candidates(model, components, isGray: points.isNeutral)
    let limits = objective.distances(of: reference.terms(punch: 1))
    let closest = ([reference] + fitted)
      .map { hash in
        let distances = objective.distances(of: hash.terms(punch: 1))
        // At no scale farther than the reference, if that can be.
        let excess = distances - limits
        let excesses = excess.replacing(with: SIMD3<Float>.zero, where: excess .< SIMD3.zero)
        return (hash: hash, cost: distances.sum() + 4 * excesses.sum())
      }
      .min { $0.cost < $1.cost }
    self = closest?.hash ?? reference
  }

  /// The quantized hashes for which a model predicts the least distance.
  private static func candidates(
    _ model: QuadraticModel, _ components: ComponentCount, isGray: Bool
  ) -> [BlurHash] {
    let judgedCount = 6
    let largest = model.origin.dropFirst().reduce(Float(0)) { largest, term in
      max(largest, abs(term.x), abs(term.y), abs(term.z))
    }
    // A smaller maximum cuts the largest terms off, but gives the others finer steps.
    let lowest = max(0, min(82, Int(largest * 166 * 0.55) - 1))
    let highest = max(lowest, min(82, Int(largest * 166 * 1.5) + 2))
    return (lowest...highest)
      .map { quantizedMaximum in
        let hash = QuantizedTerms(model, quantizedMaximum: quantizedMaximum, isGray: isGray)
        return (hash: hash.blurHash(components), change: model.change(to: hash.values))
      }
      .sorted { $0.change < $1.change }
      .prefix(judgedCount)
      .map { $0.hash }
  }
}

extension BlurHashObjective {
  /// The model at the terms with the least distance, before any quantization.
  fileprivate func minimum(from terms: [SIMD3<Float>]) -> QuadraticModel {
    let stepCount = 5
    var best = (terms: terms, distance: distance(of: terms))
    var terms = terms
    for _ in 0..<stepCount {
      terms = model(at: terms).minimizer(in: -1...1, free: terms.indices)
      let distance = distance(of: terms)
      if distance < best.distance { best = (terms, distance) }
    }
    return model(at: best.terms)
  }
}
