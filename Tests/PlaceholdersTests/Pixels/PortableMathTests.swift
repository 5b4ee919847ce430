import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PortableMathTests {
  private static func isClose(_ value: Double, _ expected: Double, within bound: Double) -> Bool {
    abs(value - expected) <= bound * max(abs(expected), .leastNormalMagnitude)
  }

  @Test(arguments: [0.001, 1 / 2.4, 1 / 2.2, 2.2, 2.4, 2.8, 6.2773, 1e5])
  func `powers match the C library`(exponent: Double) {
    var numbers = LCG(seed: 7)
    for _ in 0..<5000 {
      let base = Double.random(in: 0...1, using: &numbers)
      let expected = pow(base, exponent)
      // The error of the logarithm is multiplied by the exponent.
      let bound = 4e-16 * max(4, abs(exponent * log(base)))
      #expect(Self.isClose(PortableMath.power(base, exponent), expected, within: bound))
    }
    #expect(PortableMath.power(0, exponent) == 0)
    #expect(PortableMath.power(1, exponent) == 1)
  }

  @Test func `nearly all single-precision powers are correctly rounded`() {
    var numbers = LCG(seed: 8)
    let misses = (0..<20_000).count { _ in
      let base = Float.random(in: 0...1, using: &numbers)
      return PortableMath.power(base, 2.4) != Float(pow(Double(base), Double(Float(2.4))))
    }
    #expect(misses <= 20)
  }

  @Test func `the exponential function matches the C library`() {
    for value in stride(from: -700, through: 700, by: 0.37) {
      #expect(
        Self.isClose(
          PortableMath.exponential(value), exp(value), within: 4e-16 * max(1, abs(value))))
    }
  }

  @Test func `cube roots are correctly rounded`() {
    var numbers = LCG(seed: 9)
    for _ in 0..<20_000 {
      let value = Float.random(in: -2...2, using: &numbers)
      #expect(PortableMath.cubeRoot(value) == Float(cbrt(Double(value))))
    }
    #expect(PortableMath.cubeRoot(0) == 0)
  }

  @Test func `sines and cosines match the C library`() {
    for angle in stride(from: -60, through: 60, by: 0.0137) {
      #expect(abs(PortableMath.sine(angle) - sin(angle)) <= 3e-16)
      #expect(abs(PortableMath.cosine(angle) - cos(angle)) <= 3e-16)
    }
  }
}
