/// The search for the packed value whose placeholder is closest to an image.
struct PackedSearch {
  /// What is to be minimized.
  let objective: LQIPObjective

  /// Whether only colors will do that look gray.
  let isNeutral: Bool

  /// A value, and how far its placeholder is from the image.
  private typealias Judged = (value: PackedLQIP, distance: ScaledDistance)

  /// The value with the least distance that was found.
  ///
  /// - Parameter start: A value that is not bad.
  /// - Returns: None that is worse, unless it has to be gray.
  func best(from start: PackedLQIP) -> PackedLQIP {
    let start = judged(start)
    let model = converged(from: start)
    if isNeutral { return gray(model).value }
    var steps = model.steps(from: PackedLQIP(rounding: model.minimizer()))
    steps.descend()
    let found = descended(from: judged(steps.value))
    return found.distance.sum <= start.distance.sum ? found.value : descended(from: start).value
  }

  private func judged(_ value: PackedLQIP) -> Judged {
    (value, objective.distance(value.channels))
  }

  /// The model near the channels with the least distance, as if they had not to be packed.
  private func converged(from start: Judged) -> FieldModel {
    func model(at channels: PackedFields, over groups: Range<Int>) -> FieldModel {
      objective.model(at: channels, distance: start.distance, over: groups)
    }
    // The first step is far, and need not be exact.
    let rough = model(at: start.value.channels, over: ScaleLayout.mediumAndCoarse)
    let finer = model(at: rough.minimizer(), over: ScaleLayout.all)
    return model(at: finer.minimizer(), over: ScaleLayout.all)
  }

  /// Goes downhill, as far as a model leads and then by its best steps.
  private func descended(from start: Judged) -> Judged {
    let roundLimit = 12
    var current = start
    for _ in 0..<roundLimit {
      var steps = objective.model(at: current.value.channels, distance: current.distance)
        .steps(from: current.value)
      let neighbors = steps.neighbors(3)
      steps.descend()
      var next = judged(steps.value)
      if next.distance.sum >= current.distance.sum { next = best(of: neighbors, current) }
      if next.distance.sum >= current.distance.sum { break }
      current = next
    }
    return current
  }

  /// The best of the gray values that a model predicts, and of those that better models do then.
  private func gray(_ model: FieldModel) -> Judged {
    let roundLimit = 4
    var model = model
    var current: Judged?
    for _ in 0..<roundLimit {
      let changes = PackedLQIP.neutrals.map { (value: $0, change: model.change(to: $0.channels)) }
      let promising = changes.sorted { $0.change < $1.change }.prefix(6).map { $0.value }
      let next = best(of: promising, current)
      if next.value == current?.value { break }
      current = next
      model = objective.model(at: next.value.channels, distance: next.distance)
    }
    return current ?? judged(PackedLQIP(rawValue: 0))
  }

  /// The first of the values with the least distance, or one that is known if none is less far.
  private func best(of values: [PackedLQIP], _ known: Judged?) -> Judged {
    var best = known
    for value in values {
      let next = judged(value)
      if next.distance.sum < best?.distance.sum ?? .infinity { best = next }
    }
    return best ?? judged(PackedLQIP(rawValue: 0))
  }
}
