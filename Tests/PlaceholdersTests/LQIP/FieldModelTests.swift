import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct FieldModelTests {
  private static let objective = LQIPObjective(
    image: ScaledImage(PixelGrid.noise(width: 48, height: 48)),
    weights: LQIPGradient.weights(layers: LQIPGradient.forThreeColors), base: [])

  private static var model: FieldModel {
    let origin = LQIP.PackedColors(rawValue: 0x6590_F691).channels
    return objective.model(at: origin, distance: objective.distance(origin))
  }

  @Test func `the minimizer has the least distance within the channel range`() {
    let model = Self.model
    let minimizer = model.minimizer()
    let least = model.change(to: minimizer)
    #expect(least < 0)
    for field in 0..<9 {
      #expect((0...1).contains(minimizer[field]))
      for step in [-0.02, 0.02] as [Float] {
        var other = minimizer
        other[field] = max(0, min(1, other[field] + step))
        #expect(model.change(to: other) >= least - 0.001)
      }
    }
  }

  @Test func `descent ends when no step of one or two fields reduces the distance`() {
    let model = Self.model
    let start = LQIP.PackedColors(rounding: model.minimizer())
    let lowest = model.steps(from: start).lowest
    let end = model.change(to: lowest.channels)
    #expect(end <= model.change(to: start.channels))
    for neighbor in lowest.neighbors {
      #expect(model.change(to: neighbor.channels) >= end - 1e-4)
    }
  }

  @Test func `the five neighbors with the least distance are returned in ascending order`() {
    let model = Self.model
    let value = LQIP.PackedColors(rawValue: 0x1234_5678)
    let best = model.steps(from: value).neighbors(5).map { model.change(to: $0.channels) }
    let all = value.neighbors.map { model.change(to: $0.channels) }.sorted()
    #expect(best.count == 5)
    for (found, expected) in zip(best, all) { #expect(abs(found - expected) < 1e-4) }
  }
}

extension LQIP.PackedColors {
  /// The values that differ by one in one field or in two fields.
  fileprivate var neighbors: [LQIP.PackedColors] {
    let singles = (0..<9).flatMap { field in
      [-1, 1].compactMap { stepped(field, by: $0) }
    }
    let pairs = (0..<9).flatMap { first in
      (first + 1..<9).flatMap { second in
        ([(-1, -1), (-1, 1), (1, -1), (1, 1)] as [(Float, Float)]).compactMap { steps in
          stepped(first, by: steps.0)?.stepped(second, by: steps.1)
        }
      }
    }
    return singles + pairs
  }
}
