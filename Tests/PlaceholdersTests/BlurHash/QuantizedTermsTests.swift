import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct QuantizedTermsTests {
  private static let components = ComponentCount(x: 3, y: 3)

  /// The value that a digit stands for in an AC term.
  private static func value(of digit: Int, maximum: Int) -> Float {
    let root = Float(digit - 9) / 9
    return root * abs(root) * Float(maximum + 1) / 166
  }

  private static func model() -> QuadraticModel {
    let grid = PixelGrid.noise(width: 12, height: 9)
    let points = OklabLattice(grid, side: 48)
    return BlurHashObjective(grid, points: points, components: components)
      .model(at: BlurHash(encoding: grid, components: components).terms(punch: 1))
  }

  @Test(arguments: [2, 5, 11], [false, true])
  func `no other digit of one term is better`(maximum: Int, isGray: Bool) {
    let model = Self.model()
    let terms = QuantizedTerms(model, quantizedMaximum: maximum, isGray: isGray).values
    let change = model.change(to: terms)
    for term in terms.indices.dropFirst() {
      for channels in isGray ? [[0, 1, 2]] : [[0], [1], [2]] {
        for digit in 0...18 {
          var other = terms
          for channel in channels {
            other[term][channel] = Self.value(of: digit, maximum: maximum)
          }
          #expect(model.change(to: other) >= change - 1e-5)
        }
      }
    }
  }

  @Test func `the hash has the terms`() {
    let terms = QuantizedTerms(Self.model(), quantizedMaximum: 7, isGray: false)
    for (term, value) in zip(terms.blurHash(Self.components).terms(punch: 1), terms.values) {
      let difference = term - value
      #expect(max(difference.max(), -difference.min()) < 1e-6)
    }
  }
}
