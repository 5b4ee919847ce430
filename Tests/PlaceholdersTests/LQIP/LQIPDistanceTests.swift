import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPDistanceTests {
  @Test(arguments: [LQIPGradient.three, LQIPGradient.six])
  func `it is the mean distance in Oklab over the parts`(layers: [LQIPGradient]) {
    let weights = LQIPWeights(side: 16, layers: layers)
    let image = OklabLattice(PixelGrid.noise(width: 32, height: 32)).coarsened(by: 2)
    let distance = LQIPDistance(weights: weights, colorCount: layers.count + 1, image: image)
    var random = LCG(seed: 7)
    for _ in 0..<20 {
      let colors = (0...layers.count).map { _ in
        SIMD3<Float>(
          Float(random.next() % 256), Float(random.next() % 256), Float(random.next() % 256)) / 255
      }
      let exact =
        (0..<256).reduce(Float(0)) { sum, part in
          let encoded = weights.rendered(colors, part: part)
          let shown = Oklab(linear: IEC61966.linear(ofEncoded: encoded))
          return sum + image.distance(of: shown.components, fromPart: part)
        } / 256
      #expect(abs(distance(colors) - exact) < 0.0002)
    }
  }
}
