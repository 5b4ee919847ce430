/// The sum of the products.
func dot(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float {
  (left * right).sum()
}

/// A color with each channel in 0...`upperBound`'s.
///
/// The standard library's own does one lane after the other.
@inline(__always)
func clamped(_ color: SIMD3<Float>, to upperBound: SIMD3<Float>) -> SIMD3<Float> {
  color.replacing(with: SIMD3<Float>.zero, where: color .< SIMD3<Float>.zero)
    .replacing(with: upperBound, where: color .> upperBound)
}
