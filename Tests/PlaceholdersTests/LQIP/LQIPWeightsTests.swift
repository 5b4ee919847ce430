import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPWeightsTests {
  @Test(arguments: [LQIPGradient.three, LQIPGradient.six])
  func `the weights of a part add up to one`(layers: [LQIPGradient]) {
    for part in LQIPWeights(side: 8, layers: layers).parts {
      #expect(abs(part.sum() - 1) < 1e-5)
      #expect(part.min() >= 0)
    }
  }

  @Test func `a coarse lattice has the means of a fine one`() {
    let fine = LQIPWeights(side: 16, layers: LQIPGradient.six)
    let coarse = fine.coarsened(by: 2)
    for part in 0..<64 {
      let first = part / 8 * 32 + part % 8 * 2
      let mean =
        (fine.parts[first] + fine.parts[first + 1] + fine.parts[first + 16]
          + fine.parts[first + 17]) / 4
      #expect((coarse.parts[part] - mean).max() < 1e-6)
    }
  }
}
