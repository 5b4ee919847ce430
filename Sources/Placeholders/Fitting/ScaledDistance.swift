/// The distance between a picture and an image in OKLab: means and root mean squares at four scales.
///
/// The scales have 24, 12, 6 and 3 cells per side. The mean distance at a fine scale alone acts like a median: it
/// favors a picture that matches most cells but omits a face on black or a plant on a white wall. Squares and coarse
/// scales penalize such omissions.
struct ScaledDistance: Sendable {
  /// The mean distances, finest scale first, then the root mean squares.
  let values: SIMD8<Float>

  /// The loss of the figure; 0 if the image has no figure.
  let figureLoss: Float

  /// The weight of the finest scale in ``sum``.
  let finestWeight: Float

  /// The sum of the eight values; the two of the finest scale have the weight ``finestWeight``.
  @inline(__always)
  var sum: Float { values.sum() + (finestWeight - 1) * (means[0] + roots[0]) }

  var means: SIMD4<Float> { values.lowHalf }
  var roots: SIMD4<Float> { values.highHalf }

  /// Creates a distance from the means of distances and of their squares, finest scale first.
  @inline(__always)
  init(
    means: SIMD4<Float>, meanSquares: SIMD4<Float>, figureLoss: Float, finestWeight: Float = 1
  ) {
    values = SIMD8(lowHalf: means, highHalf: meanSquares.squareRoot())
    self.figureLoss = figureLoss
    self.finestWeight = finestWeight
  }

  /// Returns the penalty that a fit adds to the sum, for the loss of the figure and for each distance above its limit.
  @inline(__always)
  func penalty(beyond limits: SIMD8<Float>) -> Float {
    let excess = values - limits
    let excesses = excess.replacing(with: SIMD8<Float>.zero, where: excess .< SIMD8<Float>.zero)
    return 8 * figureLoss + 40 * excesses.sum()
  }
}
