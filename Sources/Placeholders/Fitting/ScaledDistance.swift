/// How far a picture is from an image, at four scales: mean and root mean square in OKLab.
///
/// The scales are 48, 12, 6 and 3 cells a side. The mean distance at a fine scale alone is like a median:
/// least for a picture that is right about most cells, and gives up a face on black or a plant on a
/// white wall. Squares and coarse scales see these.
struct ScaledDistance: Sendable {
  /// The mean distances, from the finest scale on.
  let means: SIMD4<Float>

  /// The root mean squares.
  let roots: SIMD4<Float>

  /// What a fit minimizes.
  @inline(__always)
  var sum: Float { means.sum() + roots.sum() }

  /// Takes the means of the distances and of their squares, from the finest scale on.
  @inline(__always)
  init(means: SIMD4<Float>, meanSquares: SIMD4<Float>) {
    self.means = means
    roots = meanSquares.squareRoot()
  }
}
