extension BlurHash {
  /// Searches for the hash whose preview has the smallest distance from an image, for any standard decoder.
  ///
  /// The reference projects the image onto its cosines, which yields the best coefficients only for an
  /// orthogonal basis, and rounds each one independently. Here the terms are fitted to the image in OKLab, and
  /// quantized together.
  ///
  /// - Complexity: O(terms² · quantized maxima), some milliseconds for 4×3 components.
  init(fitting grid: PixelGrid, components: ComponentCount) {
    let reference = BlurHash(projecting: grid, components: components)
    let points = OklabLattice(grid, side: 48)
    let objective = BlurHashObjective(grid, points: points, components: components)
    let model = objective.minimum(from: reference.terms(punch: 1))
    let fitted = Self.candidates(model, components, isGray: points.isNeutral)
    let limits = objective.distances(of: reference.terms(punch: 1))
    let closest = ([reference] + fitted)
      .map { hash in
        let distances = objective.distances(of: hash.terms(punch: 1))
        // At no scale farther than the reference, if that can be.
        let excess = distances - limits
        let excesses = excess.replacing(with: SIMD3<Float>.zero, where: excess .< SIMD3.zero)
        return (hash: hash, cost: distances.sum() + 4 * excesses.sum())
      }
      .min { $0.cost < $1.cost }
    self = closest?.hash ?? reference
  }

  /// The quantized hashes for which a model predicts the least distance.
  private static func candidates(
    _ model: QuadraticModel, _ components: ComponentCount, isGray: Bool
  ) -> [BlurHash] {
    let judgedCount = 6
    let largest = model.origin.dropFirst().reduce(Float(0)) { largest, term in
      max(largest, abs(term.x), abs(term.y), abs(term.z))
    }
    // A smaller maximum cuts the largest terms off, but gives the others finer steps.
    let lowest = max(0, min(82, Int(largest * 166 * 0.55) - 1))
    let highest = max(lowest, min(82, Int(largest * 166 * 1.5) + 2))
    return (lowest...highest)
      .map { quantizedMaximum in
        let hash = QuantizedTerms(model, quantizedMaximum: quantizedMaximum, isGray: isGray)
        return (hash: hash.blurHash(components), change: model.change(to: hash.values))
      }
      .sorted { $0.change < $1.change }
      .prefix(judgedCount)
      .map { $0.hash }
  }
}

extension BlurHashObjective {
  /// The model at the terms with the least distance, before any quantization.
  fileprivate func minimum(from terms: [SIMD3<Float>]) -> QuadraticModel {
    let stepCount = 5
    var best = (terms: terms, distance: distance(of: terms))
    var terms = terms
    for _ in 0..<stepCount {
      terms = model(at: terms).minimizer()
      let distance = distance(of: terms)
      if distance < best.distance { best = (terms, distance) }
    }
    return model(at: best.terms)
  }
}

/// How far a decoded preview is from an image: the mean distances in OKLab at three scales, together.
///
/// At a fine scale alone the least distance is like a median, and gives up what is small or tints what is
/// large.
struct BlurHashObjective: Sendable {
  /// The image at one scale.
  private struct Scale {
    let image: OklabLattice

    /// What its mean distance counts.
    let weight: Float

    /// The mean of each term's cosines over the parts of the image: `count` for each part.
    let cosines: [Float]
  }

  private let scales: [Scale]
  private let count: Int

  /// Prepares an image, and the cosines of the decoder.
  ///
  /// - Parameters:
  ///   - grid: The image, in linear light.
  ///   - points: The same as 48×48 points.
  ///   - components: The terms.
  init(_ grid: PixelGrid, points: OklabLattice, components: BlurHash.ComponentCount) {
    count = components.count
    func means(_ componentCount: Int, _ side: Int) -> [[Float]] {
      let size = points.side / side
      return CosineBasis(componentCount: componentCount, length: points.side).values.map { values in
        (0..<side).map { values[$0 * size..<($0 + 1) * size].reduce(0, +) / Float(size) }
      }
    }
    scales = ([(16, 3), (6, 1), (3, 0.5)] as [(Int, Float)]).map { side, weight in
      let columns = means(components.x, side)
      let rows = means(components.y, side)
      return Scale(
        image: side == 16
          ? points.coarsened(by: points.side / side)
          : OklabLattice(grid, side: side),
        weight: weight,
        cosines: (0..<side * side).flatMap { part in
          let (y, x) = part.quotientAndRemainder(dividingBy: side)
          return rows.flatMap { row in columns.map { $0[x] * row[y] } }
        })
    }
  }

  /// The distance of the preview that these terms draw.
  func distance(of terms: [SIMD3<Float>]) -> Float { distances(of: terms).sum() }

  /// What each scale has of that, from the finest on.
  func distances(of terms: [SIMD3<Float>]) -> SIMD3<Float> {
    var distances = SIMD3<Float>.zero
    for (index, scale) in scales.enumerated() {
      var sum: Float = 0
      for part in scale.image.means.indices {
        let shown = clamped(light(of: terms, scale.cosines, part), to: .one)
        sum += scale.image.distance(
          of: FastOklab.components(linear: shown).components, fromPart: part)
      }
      distances[index] = scale.weight * sum / Float(scale.image.means.count)
    }
    return distances
  }

  /// The summed distances as a quadratic function around some terms.
  func model(at terms: [SIMD3<Float>]) -> QuadraticModel {
    // Beyond what can be shown a term changes nothing; but a little of a slope leads back.
    let slopeBeyond: Float = 0.3
    var model = QuadraticModel(origin: terms)
    for scale in scales {
      let image = scale.image
      for part in image.means.indices {
        let light = light(of: terms, scale.cosines, part)
        let shown = clamped(light, to: .one)
        let (components, roots) = FastOklab.components(linear: shown)
        let slope = SIMD3<Float>.one.replacing(with: slopeBeyond, where: light .!= shown)
        model.addDistance(
          components - image.means[part], variance: image.variances[part],
          share: scale.weight / Float(image.means.count),
          derivatives: FastOklab.derivatives(coneRoots: roots, slope: slope, leastSquare: 0.016)
        ) { scale.cosines[part * count + $0] }
      }
    }
    return model
  }

  @inline(__always)
  private func light(
    of terms: [SIMD3<Float>], _ cosines: [Float], _ part: Int
  ) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for term in 0..<count { sum += cosines[part * count + term] * terms[term] }
    return sum
  }
}

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
  func blurHash(_ components: BlurHash.ComponentCount) -> BlurHash {
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
