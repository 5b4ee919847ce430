import Testing

@testable import Placeholders

@Suite struct ScaledDistanceTests {
  private static let distance = ScaledDistance(
    means: [0.1, 0.2, 0.3, 0.4], meanSquares: [0.25, 0.36, 0.49, 0.64], figureLoss: 0.5)

  @Test func `the sum is that of means and roots`() {
    #expect(Self.distance.means == [0.1, 0.2, 0.3, 0.4])
    #expect(Self.distance.roots == [0.5, 0.6, 0.7, 0.8])
    #expect(abs(Self.distance.sum - 3.6) < 1e-6)
  }

  @Test func `what is beyond a limit and what is lost of a figure are paid for`() {
    let within = SIMD8<Float>(repeating: 1)
    #expect(abs(Self.distance.penalty(beyond: within) - 4) < 1e-6)
    var limits = within
    limits[1] = 0.1
    limits[7] = 0.6
    #expect(abs(Self.distance.penalty(beyond: limits) - (4 + 40 * 0.3)) < 1e-4)
  }
}
