import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct FastOklabTests {
  /// Colors at equal steps of encoded light, black and white among them.
  private static let colors: [SIMD3<Float>] = (0...16).flatMap { red in
    (0...16).flatMap { green in
      (0...16).map { SIMD3(Float(red), Float(green), Float($0)) / 16 }
    }
  }

  @Test func `it is Oklab within what a search can tell apart`() {
    for encoded in Self.colors {
      let light = FastOklab.light(ofEncoded: encoded).light
      let exact = Oklab(linear: IEC61966.linear(ofEncoded: encoded))
      let fast = Oklab(components: FastOklab.components(linear: light).components)
      #expect(fast.distance(to: exact) < 0.001, "\(encoded)")
    }
  }

  @Test func `its square roots are those of the processor, but for rounding`() {
    #expect(FastOklab.squareRoots(.zero).max() < 1e-9)
    for value in sequence(first: 1e-6 as Float, next: { $0 < 1 ? $0 * 1.014 : nil }) {
      let roots = FastOklab.squareRoots(SIMD4(value, 2 * value, 3 * value, 4 * value))
      for lane in 0..<4 {
        let exact = (Float(lane + 1) * value).squareRoot()
        #expect(abs(roots[lane] - exact) < 1e-6 * exact)
      }
    }
  }

  @Test func `its derivatives are those of small steps`() {
    let step: Float = 0.002
    for encoded in Self.colors where encoded.min() > 0.2 && encoded.max() < 0.95 {
      let (light, slope) = FastOklab.light(ofEncoded: encoded)
      let (components, roots) = FastOklab.components(linear: light)
      let derivatives = FastOklab.derivatives(coneRoots: roots, slope: slope, leastSquare: 0.001)
      for (channel, derivative) in [derivatives.red, derivatives.green, derivatives.blue]
        .enumerated()
      {
        var moved = encoded
        moved[channel] += step
        let there = FastOklab.components(linear: FastOklab.light(ofEncoded: moved).light).components
        let error = (there - components) / step - derivative
        #expect(dot(error, error).squareRoot() < 0.05)
      }
    }
  }
}
