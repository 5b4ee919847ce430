/// The search for the packed value whose placeholder is closest to an image.
struct PackedSearch {
  /// What is to be minimized.
  let objective: LQIPObjective

  /// Whether only gray colors are allowed.
  let isNeutral: Bool

  /// How far the placeholder may be from the image, mean and root mean square at each scale.
  let limits: SIMD8<Float>

  /// A value, how far its placeholder is from the image, and what is to be minimized.
  private struct Judged {
    let value: LQIP.PackedColors
    let distance: ScaledDistance
    let penalty: Float

    var cost: Float { distance.sum + penalty }
  }

  /// The value with the least distance that was found.
  ///
  /// - Parameters:
  ///   - start: A good value to start from.
  ///   - distance: How far its placeholder is from the image.
  /// - Returns: None that is worse, unless it has to be gray.
  func best(from start: LQIP.PackedColors, at distance: ScaledDistance) -> LQIP.PackedColors {
    let start = judged(start, at: distance)
    let model = converged(from: start)
    if isNeutral { return gray(model).value }
    let lowest = model.steps(from: LQIP.PackedColors(rounding: model.minimizer())).lowest
    var found = descended(from: judged(lowest))
    if found.cost > start.cost { found = descended(from: start) }
    if found.penalty > 0 { found = stepped(from: found) }
    return found.value
  }

  private func judged(_ value: LQIP.PackedColors) -> Judged {
    judged(value, at: objective.distance(value.channels))
  }

  private func judged(_ value: LQIP.PackedColors, at distance: ScaledDistance) -> Judged {
    Judged(value: value, distance: distance, penalty: distance.penalty(beyond: limits))
  }

  /// Changes one field after the other by steps, each as long as that leads downhill, and two at a time where
  /// no single one does.
  ///
  /// The models do not include penalties, so these are reduced by trial.
  private func stepped(from start: Judged) -> Judged {
    let fields = 0..<LQIP.PackedColors.fieldCount
    let signs: [Float] = [-1, 1]
    var best = start
    func goOn(_ step: (LQIP.PackedColors) -> LQIP.PackedColors?) {
      while let next = step(best.value).map(judged), next.cost < best.cost { best = next }
    }
    var before = Float.infinity
    while best.cost < before {
      before = best.cost
      for field in fields {
        for sign in signs { goOn { $0.stepped(field, by: sign) } }
      }
      guard best.cost == before else { continue }
      for field in fields {
        for other in 0..<field {
          for sign in signs {
            for otherSign in signs {
              goOn { $0.stepped(field, by: sign)?.stepped(other, by: otherSign) }
            }
          }
        }
      }
    }
    return best
  }

  /// The model near the channels with the least distance, as if they had not to be packed.
  private func converged(from start: Judged) -> FieldModel {
    func model(at channels: PackedFields, over groups: Range<Int>) -> FieldModel {
      objective.model(at: channels, distance: start.distance, over: groups)
    }
    // The first step is far, and need not be exact.
    let rough = model(at: start.value.channels, over: ScaleLayout.mediumAndCoarse)
    return model(at: rough.minimizer(), over: ScaleLayout.all)
  }

  /// Goes downhill, as far as a model leads and then by its best steps.
  private func descended(from start: Judged) -> Judged {
    let roundLimit = 12
    var current = start
    for _ in 0..<roundLimit {
      let steps = objective.model(at: current.value.channels, distance: current.distance)
        .steps(from: current.value)
      let lowest = steps.lowest
      var next = lowest == current.value ? current : judged(lowest)
      if next.cost >= current.cost {
        next = best(of: steps.neighbors(3).filter { $0 != lowest }, current)
      }
      if next.cost >= current.cost { break }
      current = next
    }
    return current
  }

  /// Goes downhill over the gray values, as far as each model leads that is better than the one before.
  private func gray(_ model: FieldModel) -> Judged {
    let roundLimit = 4
    let channels = model.minimizer()
    var grays = SIMD3<Int>.zero
    for color in 0..<3 {
      let sum = channels[color * 3] + channels[color * 3 + 1] + channels[color * 3 + 2]
      grays[color] = Int(sum * (7 / 3) + 0.5)
    }
    grays = model.descended(from: grays)
    var best = judged(LQIP.PackedColors.neutral(grays))
    for _ in 0..<roundLimit {
      grays = objective.model(at: best.value.channels, distance: best.distance)
        .descended(from: grays)
      let next = judged(LQIP.PackedColors.neutral(grays))
      if next.cost >= best.cost { break }
      best = next
    }
    return best
  }

  /// The first of the values with the least distance, or one that is known if none is less far.
  private func best(of values: [LQIP.PackedColors], _ known: Judged) -> Judged {
    var best = known
    for value in values {
      let next = judged(value)
      if next.cost < best.cost { best = next }
    }
    return best
  }
}

extension FieldModel {
  /// Goes downhill from levels of gray, by steps of up to three colors at once.
  fileprivate func descended(from grays: SIMD3<Int>) -> SIMD3<Int> {
    var best = (grays: grays, change: change(to: LQIP.PackedColors.neutral(grays).channels))
    var center = SIMD3(repeating: -1)
    while center != best.grays {
      center = best.grays
      for step in 0..<27 {
        let grays = center &+ SIMD3(step / 9, step / 3 % 3, step % 3) &- 1
        guard all(grays .>= 0), all(grays .< 8) else { continue }
        let change = change(to: LQIP.PackedColors.neutral(grays).channels)
        if change < best.change { best = (grays, change) }
      }
    }
    return best.grays
  }
}

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
  var lowest: LQIP.PackedColors {
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
    return LQIP.PackedColors(levels: end.levels)
  }

  /// The values one step or two away that change the function least, the best first.
  func neighbors(_ count: Int) -> [LQIP.PackedColors] {
    best(count).map { steps in
      var levels = levels
      for step in [steps.first, steps.second] where step >= 0 {
        levels[step >> 1] += Self.sign(of: step)
      }
      return LQIP.PackedColors(levels: levels)
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
    let ups = (bend + slope).replacing(with: none, where: levels .>= LQIP.PackedColors.largest)
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
