/// Returns the dot product of two vectors.
func dot(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float {
  (left * right).sum()
}

extension SIMD4<Float> {
  /// The first three lanes.
  @inline(__always)
  var xyz: SIMD3<Float> { SIMD3(x, y, z) }
}

/// Clamps each channel of a color to 0...`upperBound`; NaN becomes 0.
///
/// This is faster than the standard library's `clamped`, which works lane by lane.
@inline(__always)
func clamped(_ color: SIMD3<Float>, to upperBound: SIMD3<Float>) -> SIMD3<Float> {
  color.replacing(with: SIMD3<Float>.zero, where: .!(color .>= SIMD3<Float>.zero))
    .replacing(with: upperBound, where: color .> upperBound)
}

/// Clamps each of four lanes to 0...`upperBound`; NaN becomes 0.
@inline(__always)
func clamped(_ lanes: SIMD4<Float>, to upperBound: SIMD4<Float>) -> SIMD4<Float> {
  lanes.replacing(with: SIMD4<Float>.zero, where: .!(lanes .>= SIMD4<Float>.zero))
    .replacing(with: upperBound, where: lanes .> upperBound)
}
