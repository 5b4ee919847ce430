import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPWeightsTests {
  @Test(arguments: [LQIPGradient.forThreeColors, LQIPGradient.forSixColors])
  func `the weights of a position add up to one`(layers: [LQIPGradient]) {
    for position in 0..<100 {
      let weights = LQIPWeights.weights(
        x: Float(position % 10) / 9, y: Float(position / 10) / 9, layers: layers)
      #expect(abs(weights.sum() - 1) < 1e-5)
      #expect(weights.min() >= 0)
    }
  }

  @Test(arguments: [LQIPGradient.forThreeColors, LQIPGradient.forSixColors])
  func `a part has the mean of the weights on it`(layers: [LQIPGradient]) {
    let scaled = LQIPWeights.scaled(layers: layers)
    #expect(scaled.count == layers.count + 1)
    scaled.planes.with { planes in
      for group in ScaleLayout.all {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          let count = part.size * 4
          var mean = LQIPWeights.OfColors.zero
          for index in 0..<count * count {
            mean += LQIPWeights.weights(
              x: (Float(part.column * 4 + index % count) + 0.5) / 48,
              y: (Float(part.row * 4 + index / count) + 0.5) / 48, layers: layers)
          }
          mean /= Float(count * count)
          for color in 0...layers.count {
            #expect(abs(planes[color][group][lane] - mean[color]) < 1e-5)
          }
        }
      }
    }
  }
}
