/// The terms of one channel of a ThumbHash.
struct ThumbHashSpectrum {
  let average: Double
  /// The largest magnitude among the other terms.
  let scale: Double
  /// These, as 4-bit shares of that; zeros where there is none.
  let digits: [UInt8]

  /// Transforms the values of a channel, in the order of the published algorithm.
  ///
  /// - Parameters:
  ///   - plane: A value a pixel, row-major.
  ///   - terms: The terms to keep.
  ///   - columns: The cosines of each frequency, at each column.
  ///   - rows: The same at each row.
  init(
    of plane: [Double], _ terms: TriangularTerms, columns: [SIMD8<Double>], rows: [SIMD8<Double>]
  ) {
    let narrow = columns.map { $0.lowHalf }
    let means = (0..<terms.y).map { frequency -> SIMD8<Double> in
      let factors = rows.map { $0[frequency] }
      // Most rows of the triangle have no more than four terms.
      let sums =
        terms.x * (terms.y - frequency) <= 4 * terms.y
        ? SIMD8(lowHalf: Self.sums(plane, narrow, factors), highHalf: .zero)
        : Self.sums(plane, columns, factors)
      return sums / SIMD8(repeating: Double(plane.count))
    }
    let kept = terms.frequencies.map { means[$0.y][$0.x] }
    let scale = kept.reduce(0) { max($0, abs($1)) }
    average = means[0][0]
    self.scale = scale
    digits =
      scale > 0
      ? kept.map { UInt8(ThumbHash.rounded(15 * (0.5 + 0.5 / scale * $0))) } : kept.map { _ in 0 }
  }

  /// The sums of a plane times the cosines of its columns times a factor for each row.
  @inline(__always)
  private static func sums<Lanes: SIMD>(
    _ plane: [Double], _ columns: [Lanes], _ factors: [Double]
  ) -> Lanes where Lanes.Scalar == Double {
    var sums = Lanes.zero
    unsafe plane.withUnsafeBufferPointer { plane in
      unsafe columns.withUnsafeBufferPointer { columns in
        for y in factors.indices {
          let (factor, first) = (factors[y], y &* columns.count)
          for x in 0..<columns.count {
            unsafe sums += plane[first &+ x] * columns[x] * factor
          }
        }
      }
    }
    return sums
  }
}
