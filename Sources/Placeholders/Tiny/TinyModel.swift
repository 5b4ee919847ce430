/// A local quadratic model of the distance between a picture and the image as a function of the coefficients.
struct TinyModel {
  /// The derivatives of the distance with respect to each coefficient: ``TinyBlocks/groupCount`` groups for each
  /// component, in zigzag order.
  private(set) var slope: [SIMD4<Float>]

  /// For each coefficient that has moved, the second derivatives with respect to it and each coefficient.
  private var rows: [[SIMD4<Float>]]

  /// The curvature between components, as a cosine transform of the pixels' metrics: 15×15 vectors.
  private let metric: [SIMD8<Float>]

  /// The factor of each frequency in a curvature.
  private let scales: [Float]

  /// The number of frequencies per axis in ``metric``.
  private static let length = 15

  private static let cosines: [[Float]] = (0..<length).map { frequency in
    (0..<8).map { Float(PortableMath.cosine(Double((2 * $0 + 1) * frequency) * .pi / 16)) }
  }

  /// The scale of each basis function times the strength of its frequency.
  ///
  /// Bilinear enlargement and the means over parts attenuate high frequencies.
  private static let scales: [Float] = (0..<64).map { index in
    func sinc(_ value: Double) -> Double {
      value == 0 ? 1 : PortableMath.sine(value * .pi) / (value * .pi)
    }
    let (x, y) = (Double(index % 8) / 16, Double(index / 8) / 16)
    let enlarged = sinc(x) * sinc(x) * sinc(y) * sinc(y)
    // Typical inverse distances at each scale, relative to the finest: distances are smaller at coarser scales.
    let importance: [Double] = [1, 1.5, 2.7, 5]
    var sum = Double(TinyObjective.weights[0])
    for (scale, side) in [(1, 12.0), (2, 6.0), (3, 3.0)] {
      let mean = sinc(x * 8 / side) * sinc(y * 8 / side)
      sum += Double(TinyObjective.weights[scale]) * importance[scale] * mean * mean
    }
    let strength = enlarged * (sum / Double(TinyObjective.weights[0])).squareRoot()
    // A product of cosines is a sum of four terms with a weight of 1/4 each.
    let basis = (index % 8 == 0 ? 0.5.squareRoot() : 1) * (index / 8 == 0 ? 0.5.squareRoot() : 1)
    return Float(strength * basis * 0.125 / 255)
  }

  /// Creates a quadratic approximation of the distance for pictures near the given one.
  ///
  /// - Parameters:
  ///   - picture: The coefficients of the picture, with its distance and the derivatives of that distance.
  ///   - objective: The objective that defines the distance.
  ///   - curvatureFactor: The factor by which the curvature of the approximation is multiplied.
  init(_ picture: TinyFit.Candidate, _ objective: TinyObjective, curvatureFactor: Float) {
    let (value, clampFactors) = (picture.value, picture.clampFactors)
    scales = Self.scales.map { $0 * curvatureFactor.squareRoot() }
    let groupCount = TinyBlocks.groupCount
    var slope = [SIMD4<Float>](repeating: .zero, count: 3 * groupCount)
    let slopes = zip(value.slope, clampFactors).map { slope, factors in
      let rgb = slope * factors
      return SIMD4(
        rgb.x + rgb.y + rgb.z, -0.344_136 * rgb.y + 1.772 * rgb.z,
        1.402 * rgb.x - 0.714_136 * rgb.y, 0) * (1 / 255)
    }
    let basis = TinyTransform.basis
    let lines = (0..<64).map { index in
      let (y, column) = (index / 8, basis[index % 8])
      return (0..<8).reduce(SIMD4<Float>.zero) { $0 + slopes[y * 8 + $1] * column[$1] }
    }
    for (position, frequency) in picture.blocks.frequencies.enumerated() {
      let (row, column) = (basis[frequency / 8], frequency % 8)
      let sum = (0..<8).reduce(SIMD4<Float>.zero) { $0 + lines[$1 * 8 + column] * row[$1] }
      for component in 0..<3 {
        slope[component * groupCount + position / 4][position % 4] = sum[component]
      }
    }
    self.slope = slope
    metric = Self.transform(zip(objective.metric, value.importance).map { $0 * $1 })
    rows = Array(repeating: [], count: 3 * groupCount * 4)
  }

  private static func transform(_ products: [SIMD8<Float>]) -> [SIMD8<Float>] {
    var lines = [SIMD8<Float>](repeating: .zero, count: 8 * length)
    for y in 0..<8 {
      for frequency in 0..<length {
        var sum = SIMD8<Float>.zero
        for x in 0..<8 { sum += products[y * 8 + x] * cosines[frequency][x] }
        lines[y * length + frequency] = sum
      }
    }
    var result = [SIMD8<Float>](repeating: .zero, count: length * length)
    for row in 0..<length {
      for column in 0..<length {
        var sum = SIMD8<Float>.zero
        for y in 0..<8 { sum += lines[y * length + column] * cosines[row][y] }
        result[row * length + column] = sum
      }
    }
    return result
  }

  /// Returns the second derivatives with respect to two frequencies for the component pairs Y-Y, Y-Cb, Y-Cr, Cb-Cb,
  /// Cb-Cr and Cr-Cr.
  @inline(__always)
  func curvature(_ one: Int, _ other: Int) -> SIMD8<Float> {
    let (v, u) = (one >> 3, one & 7)
    let (w, t) = (other >> 3, other & 7)
    let (rows, columns) = ((abs(v - w), v + w), (abs(u - t), u + t))
    func term(_ row: Int, _ column: Int) -> SIMD8<Float> {
      metric[row * Self.length + column]
    }
    let sum =
      term(rows.0, columns.0) + term(rows.0, columns.1) + term(rows.1, columns.0)
      + term(rows.1, columns.1)
    return sum * (scales[one] * scales[other])
  }

  /// Updates the derivatives after a step in one coefficient.
  mutating func move(_ component: Int, _ position: Int, by step: Float, _ frequencies: [Int]) {
    let index = component * 64 + position
    if rows[index].isEmpty { rows[index] = row(component, position, frequencies) }
    for (group, curvature) in rows[index].enumerated() { slope[group] += curvature * step }
  }

  /// Returns the second derivatives with respect to a coefficient and each coefficient.
  private func row(_ component: Int, _ position: Int, _ frequencies: [Int]) -> [SIMD4<Float>] {
    var row = [SIMD4<Float>](repeating: .zero, count: 3 * TinyBlocks.groupCount)
    for (other, frequency) in frequencies.enumerated() {
      let curvature = curvature(frequencies[position], frequency)
      for second in 0..<3 {
        row[second * TinyBlocks.groupCount + other / 4][other % 4] =
          curvature[Self.pairs[component][second]]
      }
    }
    return row
  }

  /// The index of each pair of components in ``curvature(_:_:_:)``.
  static let pairs = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
}
