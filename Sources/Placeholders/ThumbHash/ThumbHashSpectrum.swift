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
    let width = columns.count
    let means = (0..<terms.y).map { frequency in
      var sums = SIMD8<Double>.zero
      for y in rows.indices {
        let row = SIMD8(repeating: rows[y][frequency])
        for x in 0..<width {
          sums += SIMD8(repeating: plane[y * width + x]) * columns[x] * row
        }
      }
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
}
