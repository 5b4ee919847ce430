/// A local quadratic model of the distance between a picture and the image as a function of the coefficients.
struct TinyModel {
  /// The levels of the picture.
  let origin: [Int]

  /// The derivatives of the distance with respect to each coefficient: ``TinyBlocks/groupCount`` groups for each
  /// component, in zigzag order.
  private(set) var slope: [SIMD4<Float>]

  /// The derivatives at ``origin``.
  private let originSlope: [SIMD4<Float>]

  /// The factor by which the curvature of the approximation is multiplied.
  private var curvatureFactor: Float = 1

  /// For each coefficient that has moved, the second derivatives with respect to it and each coefficient.
  private var rows: [[SIMD4<Float>]]

  /// The curvature between components, as a cosine transform of the pixels' metrics: 15×15 vectors.
  private let metric: [SIMD8<Float>]

  /// Copies of the tables, because each access to a lazy static property takes time.
  private let scales = Self.scales
  private let frequencies = TinyTables.zigzag
  private let usedCounts = TinyTables.usedCounts

  /// The number of frequencies per axis in ``metric``.
  private static let length = 15

  private static let cosines = (0..<length).map { TinyTransform.cosines($0).map { Float($0) } }

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
  init(_ picture: TinyFit.Candidate, _ objective: TinyObjective) {
    origin = picture.blocks.levels
    let groupCount = TinyBlocks.groupCount
    // The derivatives with respect to Y, Cb and Cr.
    let slopes = picture.slope.map { rgb in
      SIMD4(
        rgb.x + rgb.y + rgb.z, -0.344_136 * rgb.y + 1.772 * rgb.z,
        1.402 * rgb.x - 0.714_136 * rgb.y, 0) * (1 / 255)
    }
    let coefficients = TinyTransform.coefficients(of: slopes, TinyTransform.basis)
    var slope = [SIMD4<Float>](repeating: .zero, count: 3 * groupCount)
    for (position, frequency) in frequencies.enumerated() {
      for component in 0..<3 {
        slope[component * groupCount + position / 4][position % 4] =
          coefficients[frequency][component]
      }
    }
    originSlope = slope
    self.slope = slope
    metric = TinyTransform.coefficients(
      of: zip(objective.metric, picture.slope).map { $0 * $1.w }, Self.cosines)
    rows = Array(repeating: [], count: 3 * groupCount * 4)
  }

  /// The second derivative with respect to each coefficient, in the order of ``slope``.
  var curvatures: [SIMD4<Float>] {
    var curvatures = slope
    for (position, frequency) in frequencies.enumerated() {
      let curvature = curvature(frequency, frequency)
      for component in 0..<3 {
        curvatures[component * TinyBlocks.groupCount + position / 4][position % 4] =
          curvatureFactor * curvature[Self.pairs[component][component]]
      }
    }
    return curvatures
  }

  /// Returns to the origin, and multiplies the curvature by a factor.
  mutating func restart(curvatureFactor: Float) {
    slope = originSlope
    self.curvatureFactor = curvatureFactor
  }

  /// Returns the second derivatives with respect to two frequencies for the component pairs Y-Y, Y-Cb, Y-Cr, Cb-Cb,
  /// Cb-Cr and Cr-Cr.
  @inline(__always)
  private func curvature(_ one: Int, _ other: Int) -> SIMD8<Float> {
    let (v, u) = (one >> 3, one & 7)
    let (w, t) = (other >> 3, other & 7)
    let (rows, columns) = ((abs(v - w), v + w), (abs(u - t), u + t))
    // Sums of two frequencies per axis are below 15; checking hundreds of thousands of indices would take time.
    let sum = unsafe metric.withUnsafeBufferPointer { metric in
      @inline(__always)
      func term(_ row: Int, _ column: Int) -> SIMD8<Float> {
        unsafe metric[row &* Self.length &+ column]
      }
      return term(rows.0, columns.0) + term(rows.0, columns.1) + term(rows.1, columns.0)
        + term(rows.1, columns.1)
    }
    return sum * (scales[one] * scales[other])
  }

  /// Updates the derivatives after a step in one coefficient.
  mutating func move(_ component: Int, _ position: Int, by step: Float) {
    let index = component * 64 + position
    if rows[index].isEmpty { rows[index] = row(component, position) }
    let (row, step) = (rows[index], curvatureFactor * step)
    for group in row.indices { slope[group] += row[group] * step }
  }

  /// Returns the second derivatives with respect to a coefficient and each coefficient that the encoder uses.
  private func row(_ component: Int, _ position: Int) -> [SIMD4<Float>] {
    let groupCount = TinyBlocks.groupCount
    let pairs = Self.pairs[component]
    var row = [SIMD4<Float>](repeating: .zero, count: 3 * groupCount)
    for group in 0..<groupCount {
      @inline(__always)
      func curvature(_ lane: Int) -> SIMD8<Float> {
        self.curvature(frequencies[position], frequencies[group * 4 + lane])
      }
      let four = (curvature(0), curvature(1), curvature(2), curvature(3))
      for second in 0..<3 where group * 4 < usedCounts[second] {
        let pair = pairs[second]
        row[second * groupCount + group] = SIMD4(
          four.0[pair], four.1[pair], four.2[pair], four.3[pair])
      }
    }
    return row
  }

  /// The index of each pair of components in ``curvature(_:_:)``.
  private static let pairs = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
}
