/// How a quadratic function changes with steps of one field of a packed value or of two.
struct FieldSteps {
  private var levels: PackedFields
  private var slope: PackedFields
  private let hessian: [PackedFields]

  /// What a step of each field changes by its curvature alone.
  private let bend: PackedFields

  /// Takes the levels to start from, and the function there in units of steps.
  init(levels: PackedFields, slope: PackedFields, hessian: [PackedFields]) {
    self.levels = levels
    self.slope = slope
    self.hessian = hessian
    var bend = PackedFields.zero
    for field in hessian.indices { bend[field] = 0.5 * hessian[field][field] }
    self.bend = bend
  }

  /// The value downhill from which no step of one field or of two leads further.
  var lowest: PackedLQIP {
    let stepLimit = 12
    var end = self
    for _ in 0..<stepLimit {
      guard let best = end.best(1).first, best.change < 0 else { break }
      for step in [best.first, best.second] where step >= 0 {
        let sign = Self.sign(of: step)
        end.levels[step >> 1] += sign
        end.slope += hessian[step >> 1] * sign
      }
    }
    return PackedLQIP(levels: end.levels)
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
    var limit = Float.infinity
    func offer(_ pair: Pair) {
      var place = best.count
      while place > 0 && best[place - 1].change > pair.change { place -= 1 }
      best.insert(pair, at: place)
      if best.count > count { best.removeLast() }
      if best.count == count { limit = best[count - 1].change }
    }
    let none = PackedFields(repeating: .infinity)
    let ups = (bend + slope).replacing(with: none, where: levels .>= PackedLQIP.largest)
    let downs = (bend - slope).replacing(with: none, where: levels .<= PackedFields.zero)
    for first in 0..<18 {
      let field = first >> 1
      let change = first & 1 == 0 ? ups[field] : downs[field]
      guard change < .infinity else { continue }
      if change < limit { offer((first, -1, change)) }
      let tilt = hessian[field] * Self.sign(of: first)
      let (pairedUps, pairedDowns) = (ups + tilt + change, downs - tilt + change)
      for other in field + 1..<9 {
        if pairedUps[other] < limit { offer((first, 2 * other, pairedUps[other])) }
        if pairedDowns[other] < limit { offer((first, 2 * other + 1, pairedDowns[other])) }
      }
    }
    return best
  }

  private static func sign(of step: Int) -> Float { step & 1 == 0 ? 1 : -1 }
}
