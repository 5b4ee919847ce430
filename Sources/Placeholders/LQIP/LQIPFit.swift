/// The fit of packed colors to an image.
///
/// The rendering is linear in the encoded colors, so that steps of Gauss and Newton lead to the least
/// distance; and among the packed colors around that point the best are found by going downhill.
struct LQIPFit: Sendable {
  private static let three = LQIPWeights.scaled(layers: LQIPGradient.three)
  private static let six = LQIPWeights.scaled(layers: LQIPGradient.six)

  private let image: ScaledImage
  private let isNeutral: Bool

  /// Prepares an image.
  init(_ grid: PixelGrid) {
    image = ScaledImage(grid)
    isNeutral = image.isNeutral
  }

  /// The best three colors.
  func three() -> PackedLQIP {
    // About what the other encoding takes.
    let corners = [0, 4, 8].map { (part: Int) -> SIMD3<Float> in
      SRGB.encoded(ofLinear: image.color(ofCoarse: part).linear)
    }
    return search(Self.three, base: []).best(from: PackedLQIP(rounding: corners))
  }

  /// The best three colors to be laid over others; nil where the others alone are closer.
  func second(over first: PackedLQIP) -> PackedLQIP? {
    // What is seen below, as if there were no others.
    let below = LQIPGradient.six.dropFirst(2).map { layer in
      LQIPWeights.mix(
        first.colors,
        by: LQIPWeights.weights(
          x: layer.center.x, y: layer.center.y, layers: LQIPGradient.three))
    }
    let search = search(Self.six, base: first.colors)
    let second = search.best(from: PackedLQIP(rounding: below))
    let without = objective(Self.three, base: []).distance(first.channels)
    return search.objective.distance(second.channels).sum < without.sum ? second : nil
  }

  private func objective(_ weights: ScaleWeights, base: [SIMD3<Float>]) -> LQIPObjective {
    LQIPObjective(image: image, weights: weights, base: base)
  }

  private func search(_ weights: ScaleWeights, base: [SIMD3<Float>]) -> PackedSearch {
    PackedSearch(objective: objective(weights, base: base), isNeutral: isNeutral)
  }
}
