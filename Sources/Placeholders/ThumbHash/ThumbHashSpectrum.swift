/// The terms of a channel's cosine transform: a triangle of low frequencies, without the average.
struct TriangularTerms {
  /// The number of terms in the first row, including the average.
  let x: Int
  /// The number of terms in the first column, including the average.
  let y: Int

  static let color = TriangularTerms(x: 3, y: 3)
  static let alpha = TriangularTerms(x: 5, y: 5)

  /// The horizontal and vertical frequency of each term, in the order of the hash.
  var frequencies: [(x: Int, y: Int)] {
    (0..<y).flatMap { row in
      (0..<x).filter { $0 * y < x * (y - row) && $0 + row > 0 }.map { ($0, row) }
    }
  }

  var count: Int { frequencies.count }
}

/// The terms of one channel of a ThumbHash.
struct ThumbHashSpectrum {
  let average: Double
  /// The largest magnitude among the terms other than the average.
  let scale: Double
  /// The terms other than the average, quantized to 4 bits relative to ``scale``; all zero if the scale is zero.
  let digits: [UInt8]

  /// Transforms a channel in the published algorithm's order of operations, which determines the rounding.
  ///
  /// `columns` and `rows` contain the cosines of each frequency at each column and row.
  init(
    of pixels: [SIMD4<Double>], channel: Int, _ terms: TriangularTerms,
    columns: [SIMD8<Double>], rows: [SIMD8<Double>]
  ) {
    let narrow = columns.map { $0.lowHalf }
    let means = (0..<terms.y).map { frequency -> SIMD8<Double> in
      let factors = rows.map { $0[frequency] }
      // Most rows of the triangle have at most four terms, so half of the lanes suffice for them.
      let sums =
        terms.x * (terms.y - frequency) <= 4 * terms.y
        ? SIMD8(lowHalf: Self.sums(pixels, channel, narrow, factors), highHalf: .zero)
        : Self.sums(pixels, channel, columns, factors)
      return sums / SIMD8(repeating: Double(pixels.count))
    }
    let kept = terms.frequencies.map { means[$0.y][$0.x] }
    let scale = kept.reduce(0) { max($0, abs($1)) }
    average = means[0][0]
    self.scale = scale
    digits = kept.map { scale > 0 ? UInt8(ThumbHash.rounded(15 * (0.5 + 0.5 / scale * $0))) : 0 }
  }

  /// Returns the sums of a channel's values, each multiplied by the cosines of its column and the factor of its row.
  @inline(__always)
  private static func sums<Lanes: SIMD>(
    _ pixels: [SIMD4<Double>], _ channel: Int, _ columns: [Lanes], _ factors: [Double]
  ) -> Lanes where Lanes.Scalar == Double {
    var sums = Lanes.zero
    unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe columns.withUnsafeBufferPointer { columns in
        for y in factors.indices {
          let (factor, first) = (factors[y], y &* columns.count)
          for x in 0..<columns.count {
            unsafe sums += pixels[first &+ x][channel] * columns[x] * factor
          }
        }
      }
    }
    return sums
  }
}
