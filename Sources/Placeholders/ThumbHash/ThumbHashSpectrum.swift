/// The terms of one channel of a ThumbHash.
struct ThumbHashSpectrum {
  let average: Double
  /// The largest magnitude among the other terms.
  let scale: Double
  /// These, as 4-bit shares of that; zeros where there is none.
  let digits: [UInt8]
  /// The terms themselves, without the average.
  private let kept: [Double]

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
    self.init(average: means[0][0], kept: terms.frequencies.map { means[$0.y][$0.x] })
  }

  /// Takes terms that are known.
  init(_ transform: ThumbHashTransform.Terms, _ terms: TriangularTerms) {
    self.init(
      average: transform[0][0], kept: terms.frequencies.map { transform[$0.y][$0.x] })
  }

  private init(average: Double, kept: [Double]) {
    self.kept = kept
    let scale = kept.reduce(0) { max($0, abs($1)) }
    self.average = average
    self.scale = scale
    digits =
      scale > 0
      ? kept.map { UInt8(ThumbHash.rounded(Self.share($0, scale))) } : kept.map { _ in 0 }
  }

  private static func share(_ term: Double, _ scale: Double) -> Double {
    15 * (0.5 + 0.5 / scale * term)
  }

  /// Whether terms that differ by rounding errors from these would be written by the same digits.
  ///
  /// - Parameter header: The multiples of average and scale, up to 63 times them, that are rounded as well.
  /// - Returns: False in doubt.
  func isCertain(header: [Double]) -> Bool {
    // The mean of 10,000 numbers up to 1, each with some roundings, is off by 10,000 · 2^-50 at most.
    let error = 1e-11
    func isCertain(_ value: Double, factor: Double) -> Bool {
      let beyond = (value + 0.5) - (value + 0.5).rounded(.down)
      return beyond > error * factor && beyond < 1 - error * factor
    }
    return scale > 1e-4 && header.allSatisfy { isCertain($0, factor: 63) }
      && kept.allSatisfy { isCertain(Self.share($0, scale), factor: 15 / scale) }
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
