/// The search for the packed colors whose placeholder, as it is drawn, comes closest to an image.
///
/// The rendering is linear in the colors, so least squares give a start; steps of Gauss and Newton lead
/// from there to the least mean distance in OKLab; and among the packed colors around that point the
/// best are found by going downhill.
struct LQIPFit: Sendable {
  /// Parts of the lattice on which candidates are judged; steps are computed on one half as fine.
  private static let side = 16

  private static let three = Weights(layers: LQIPGradient.three)
  private static let six = Weights(layers: LQIPGradient.six)

  /// The weights of a geometry on both lattices.
  private struct Weights {
    let coarse: LQIPWeights
    let fine: LQIPWeights

    init(layers: [LQIPGradient]) {
      fine = LQIPWeights(side: LQIPFit.side, layers: layers)
      coarse = fine.coarsened(by: 2)
    }
  }

  /// The image in a few cells.
  private let small: PixelGrid
  private let fineImage: OklabLattice
  private let coarseImage: OklabLattice
  private let isNeutral: Bool

  /// Prepares an image.
  init(_ grid: PixelGrid) {
    small = grid.squared(side: Self.side * 2)
    let points = OklabLattice(small)
    fineImage = points.coarsened(by: 2)
    coarseImage = points.coarsened(by: 4)
    isNeutral = points.isNeutral
  }

  /// The best three colors.
  ///
  /// Where the search has lost its way, and a color would do that is not gray, those of the corners.
  func three() -> PackedLQIP {
    let search = search(Self.three, base: [])
    let fitted = search.best()
    let corners = PackedLQIP(encoding: small, by: .corners)
    let isLost = !isNeutral && search.distance(of: corners) < search.distance(of: fitted)
    return isLost ? corners : fitted
  }

  /// The best three colors to be laid over others.
  func second(over first: PackedLQIP) -> PackedLQIP {
    search(Self.six, base: first.colors).best()
  }

  private func search(_ weights: Weights, base: [SIMD3<Float>]) -> PackedSearch {
    PackedSearch(
      coarse: LQIPObjective(weights: weights.coarse, image: coarseImage),
      distance: LQIPDistance(
        weights: weights.fine, colorCount: base.count + 3, image: fineImage),
      base: base, isNeutral: isNeutral)
  }
}
