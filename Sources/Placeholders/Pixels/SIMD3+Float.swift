/// The sum of the products.
func dot(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float {
  (left * right).sum()
}

extension SIMD4<Float> {
  /// The first three lanes.
  @inline(__always)
  var xyz: SIMD3<Float> { SIMD3(x, y, z) }
}

extension Array where Element == SIMD3<Float> {
  /// Gives access to the colors as they lie in memory, with a fourth lane of no meaning.
  ///
  /// The compiler is at its best with four lanes, and splits three up.
  @inline(__always)
  func withFourLanes<Result>(
    _ body: (_ colors: UnsafeBufferPointer<SIMD4<Float>>) -> Result
  ) -> Result {
    unsafe withUnsafeBytes { bytes in
      unsafe body(bytes.assumingMemoryBound(to: SIMD4<Float>.self))
    }
  }

  /// Takes the first three lanes of each color.
  init(threeLanesOf colors: [SIMD4<Float>]) {
    self = unsafe colors.withUnsafeBytes { bytes in
      unsafe Array(bytes.assumingMemoryBound(to: SIMD3<Float>.self))
    }
  }
}

/// A color with each channel in 0...`upperBound`'s; what is no number becomes 0.
///
/// The standard library's own does one lane after the other.
@inline(__always)
func clamped(_ color: SIMD3<Float>, to upperBound: SIMD3<Float>) -> SIMD3<Float> {
  color.replacing(with: SIMD3<Float>.zero, where: .!(color .>= SIMD3<Float>.zero))
    .replacing(with: upperBound, where: color .> upperBound)
}

/// The same for four lanes.
@inline(__always)
func clamped(_ lanes: SIMD4<Float>, to upperBound: SIMD4<Float>) -> SIMD4<Float> {
  lanes.replacing(with: SIMD4<Float>.zero, where: .!(lanes .>= SIMD4<Float>.zero))
    .replacing(with: upperBound, where: lanes .> upperBound)
}
