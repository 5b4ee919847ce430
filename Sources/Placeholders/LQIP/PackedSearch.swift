/// The search for one packed value, with the colors below it given.
struct PackedSearch {
  /// Where steps are computed.
  let coarse: LQIPObjective

  /// What candidates are judged by.
  let distance: LQIPDistance

  /// The colors under those that are searched, if any.
  let base: [SIMD3<Float>]

  /// Whether only colors will do that look gray.
  let isNeutral: Bool

  /// A value, and how a model says that the distance changes with it.
  private typealias Candidate = (value: PackedLQIP, change: Float)

  /// The mean distance of the placeholder with these colors from the image.
  func distance(of packed: PackedLQIP) -> Float {
    distance(base + packed.colors)
  }

  /// The value with the least distance that was found.
  func best() -> PackedLQIP {
    let colors = continuousColors()
    guard isNeutral else { return descended(from: PackedLQIP(rounding: colors.suffix(3))) }
    let model = coarse.model(at: colors)
    let candidates = PackedLQIP.neutrals.map { ($0, model.change(to: base + $0.colors)) }
    return best(of: promising(candidates))
  }

  /// The colors with the least distance, as if they had not to be packed.
  private func continuousColors() -> [SIMD3<Float>] {
    let stepCount = 3
    let free = base.count..<base.count + 3
    let gray = Array(repeating: SIMD3<Float>(repeating: 0.5), count: 3)
    var colors = coarse.leastSquares(from: base + gray).minimizer(in: 0...1, free: free)
    for _ in 0..<stepCount { colors = coarse.model(at: colors).minimizer(in: 0...1, free: free) }
    return colors
  }

  /// Goes downhill over values that differ in one field or in two, by one step each.
  private func descended(from start: PackedLQIP) -> PackedLQIP {
    let roundCount = 6
    var current = start
    for _ in 0..<roundCount {
      let next = best(of: [current] + promising(neighbors(of: current)))
      if next == current { break }
      current = next
    }
    return current
  }

  private func neighbors(of value: PackedLQIP) -> [Candidate] {
    let model = coarse.model(at: base + value.colors)
    let steps = value.steps
    let changes = steps.map { step in
      let color = base.count + step.color
      return step.distance * model.gradient[color][step.channel]
        + step.distance * step.distance / 2
        * model.curvature(color, step.channel, color)[step.channel]
    }
    var candidates: [Candidate] = []
    for (first, step) in steps.enumerated() {
      let bits = value.rawValue &+ step.bits
      candidates.append((PackedLQIP(rawValue: bits), changes[first]))
      for second in steps.indices.dropFirst(first + 1) where !steps[second].isOpposite(to: step) {
        let other = steps[second]
        let curvature = model.curvature(
          base.count + step.color, step.channel, base.count + other.color)[other.channel]
        candidates.append(
          (
            PackedLQIP(rawValue: bits &+ other.bits),
            changes[first] + changes[second] + step.distance * other.distance * curvature
          ))
      }
    }
    return candidates
  }

  /// The few values for which a model predicts the least distance.
  private func promising(_ candidates: [Candidate]) -> [PackedLQIP] {
    candidates.sorted { $0.change < $1.change }.prefix(6).map(\.value)
  }

  /// The first of the values with the least distance.
  private func best(of values: [PackedLQIP]) -> PackedLQIP {
    values.map { (value: $0, distance: distance(of: $0)) }
      .reduce((PackedLQIP(rawValue: 0), Float.infinity)) { best, candidate in
        candidate.distance < best.1 ? candidate : best
      }.0
  }
}
