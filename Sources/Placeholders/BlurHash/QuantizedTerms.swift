/// Terms that a BlurHash can express, chosen together for the least value of a quadratic model.
struct QuantizedTerms {
  private let quantizedMaximum: Int

  /// The average color's samples, then the digits of each term, 0...18.
  private var digits: [SIMD3<Int>]

  /// What they stand for.
  private(set) var values: [SIMD3<Float>]

  /// The slope of the model at these values.
  private var slope: [SIMD3<Float>]

  /// Starts with the nearest digits, then changes one after the other until none gets better.
  ///
  /// - Parameters:
  ///   - model: What is to be minimized.
  ///   - quantizedMaximum: The largest value that an AC term can have, as in a hash.
  ///   - isGray: Whether all channels of a term are to be the same.
  init(_ model: QuadraticModel, quantizedMaximum: Int, isGray: Bool) {
    let sweepCount = 40
    self.quantizedMaximum = quantizedMaximum
    digits = Array(repeating: .zero, count: model.origin.count)
    values = model.origin
    slope = model.gradient
    let groups = isGray ? [[0, 1, 2]] : [[0], [1], [2]]
    for term in values.indices {
      for group in groups {
        let mean = group.reduce(Float(0)) { $0 + values[term][$1] } / Float(group.count)
        set(term, group, digit: nearestDigit(to: mean, term), model)
      }
    }
    for _ in 0..<sweepCount {
      let before = digits
      for term in values.indices {
        for group in groups { improve(term, group, model) }
      }
      if digits == before { break }
    }
  }

  /// The hash of these terms.
  func blurHash(_ components: ComponentCount) -> BlurHash {
    BlurHash(
      components: components, quantizedMaximum: quantizedMaximum,
      dc: digits[0].x << 16 | digits[0].y << 8 | digits[0].z,
      ac: digits.dropFirst().map { ($0.x * 19 + $0.y) * 19 + $0.z })
  }

  /// Sets some channels of a term, which have the same value, to the digit that is best for them.
  private mutating func improve(_ term: Int, _ group: [Int], _ model: QuadraticModel) {
    var curvature: Float = 0
    var slope: Float = 0
    for channel in group {
      slope += self.slope[term][channel]
      let row = model.curvature(term, channel, term)
      for other in group { curvature += row[other] }
    }
    guard curvature > 0 else { return }
    let value = values[term][group[0]]
    let digit = nearestDigit(to: value - slope / curvature, term)
    let step = self.value(of: digit, term) - value
    guard step * slope + step * step * curvature / 2 < 0 else { return }
    set(term, group, digit: digit, model)
  }

  private mutating func set(_ term: Int, _ group: [Int], digit: Int, _ model: QuadraticModel) {
    for channel in group {
      let step = value(of: digit, term) - values[term][channel]
      digits[term][channel] = digit
      values[term][channel] += step
      for other in values.indices {
        slope[other] += step * model.curvature(term, channel, other)
      }
    }
  }

  private func value(of digit: Int, _ term: Int) -> Float {
    guard term > 0 else { return SRGB.linear[digit] }
    let root = Float(digit - 9) / 9
    return root * abs(root) * Float(quantizedMaximum + 1) / 166
  }

  private func nearestDigit(to value: Float, _ term: Int) -> Int {
    guard term > 0 else { return Int(SRGB.sample(ofLinear: value)) }
    let ratio = value * 166 / Float(quantizedMaximum + 1)
    let root = abs(ratio).squareRoot() * (ratio < 0 ? -1 : 1)
    let lower = Int(max(0, min(17, root * 9 + 9)))
    let isUpper = self.value(of: lower + 1, term) - value < value - self.value(of: lower, term)
    return isUpper ? lower + 1 : lower
  }
}
