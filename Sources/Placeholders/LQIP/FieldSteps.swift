/// How a quadratic function changes with steps of one field of a packed value or of two.
struct FieldSteps {
  private var levels: PackedFields
  private var slope: PackedFields
  private let hessian: [PackedFields]

  /// Takes the levels to start from, and the function there in units of steps.
  init(levels: PackedFields, slope: PackedFields, hessian: [PackedFields]) {
    self.levels = levels
    self.slope = slope
    self.hessian = hessian
  }

  /// The value that the steps have led to.
  var value: PackedLQIP { PackedLQIP(levels: levels) }

  /// Goes downhill until no step of one field or of two leads further.
  mutating func descend() {
    let stepLimit = 12
    for _ in 0..<stepLimit {
      guard let best = best(1).first, best.change < 0 else { return }
      for step in [best.first, best.second] where step >= 0 {
        let sign = Self.sign(of: step)
        levels[step >> 1] += sign
        slope += hessian[step >> 1] * sign
      }
    }
  }

  /// The values one step or two away that change the function least, the best first.
  func neighbors(_ count: Int) -> [PackedLQIP] {
    best(count).map { steps in
      var levels = levels
      for step in [steps.first, steps.second] where step >= 0 {
        levels[step >> 1] += Self.sign(of: step)
      }
      return PackedLQIP(levels: levels)
    }
  }

  /// Two steps, of which the second may be missing: each is twice the field, and one more for down.
  private typealias Pair = (first: Int, second: Int, change: Float)

  private func best(_ count: Int) -> [Pair] {
    var best: [Pair] = []
    best.reserveCapacity(count + 1)
    func offer(_ pair: Pair) {
      guard best.count < count || pair.change < best[count - 1].change else { return }
      var place = best.count
      while place > 0 && best[place - 1].change > pair.change { place -= 1 }
      best.insert(pair, at: place)
      if best.count > count { best.removeLast() }
    }
    for first in 0..<18 where isWithin(first) {
      let (field, sign) = (first >> 1, Self.sign(of: first))
      let row = hessian[field]
      let change = sign * slope[field] + 0.5 * row[field]
      offer((first, -1, change))
      // Behind the first and its opposite.
      for second in (first | 1) + 1..<18 where isWithin(second) {
        let (otherField, otherSign) = (second >> 1, Self.sign(of: second))
        let own = otherSign * slope[otherField] + 0.5 * hessian[otherField][otherField]
        offer((first, second, change + own + sign * otherSign * row[otherField]))
      }
    }
    return best
  }

  private static func sign(of step: Int) -> Float { step & 1 == 0 ? 1 : -1 }

  private func isWithin(_ step: Int) -> Bool {
    let field = step >> 1
    return step & 1 == 0 ? levels[field] < PackedLQIP.largest[field] : levels[field] > 0
  }
}
