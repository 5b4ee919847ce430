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

  private let fineImage: OklabLattice
  private let coarseImage: OklabLattice
  private let isNeutral: Bool

  /// Prepares an image.
  init(_ grid: PixelGrid) {
    let points = OklabLattice(grid, side: Self.side * 2)
    fineImage = points.coarsened(by: 2)
    coarseImage = points.coarsened(by: 4)
    isNeutral = points.isNeutral
  }

  /// The best three colors, or others where those are better.
  func three(alternative: PackedLQIP) -> PackedLQIP {
    let search = search(Self.three, base: [])
    let fitted = search.best()
    let isBetter = !isNeutral && search.distance(of: alternative) < search.distance(of: fitted)
    return isBetter ? alternative : fitted
  }

  /// The best three colors to be laid over others.
  func second(over first: PackedLQIP) -> PackedLQIP {
    search(Self.six, base: first.colors).best()
  }

  private func search(_ weights: Weights, base: [SIMD3<Float>]) -> PackedSearch {
    PackedSearch(
      coarse: LQIPObjective(weights: weights.coarse, image: coarseImage),
      fine: LQIPObjective(weights: weights.fine, image: fineImage),
      base: base, isNeutral: isNeutral)
  }
}
