import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct OklabTests {
  /// Source: CSS Color 4 and Ottosson, values for the corners of sRGB.
  @Test(
    arguments: [
      ([1, 1, 1], [1, 0, 0]),
      ([1, 0, 0], [0.627955, 0.224863, 0.125846]),
      ([0, 1, 0], [0.866440, -0.233888, 0.179498]),
      ([0, 0, 1], [0.452014, -0.032457, -0.311528]),
      ([0, 0, 0], [0, 0, 0]),
    ] as [(SIMD3<Float>, SIMD3<Float>)])
  func `the coordinates of colors match published values`(
    linear: SIMD3<Float>, components: SIMD3<Float>
  ) {
    let difference = Oklab(linear: linear).components - components
    #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-5)
  }

  @Test func `distances are Euclidean`() {
    let red = Oklab(linear: [1, 0, 0])
    let blue = Oklab(linear: [0, 0, 1])
    // The root of 0.175941² + 0.257320² + 0.437374², from the published coordinates.
    #expect(abs(red.distance(to: blue) - 0.537090) < 1e-5)
    #expect(red.distance(to: blue) == blue.distance(to: red))
    #expect(red.distance(to: red) == 0)
  }

  @Test(arguments: [0, 0.001, 0.1, 0.25, 0.5, 0.75, 1] as [Float])
  func `grays have no chroma`(gray: Float) {
    let components = Oklab(linear: SIMD3(repeating: gray)).components
    #expect(abs(components.y) < 1e-5)
    #expect(abs(components.z) < 1e-5)
  }
}

@Suite struct FastOklabTests {
  /// Colors at equal steps of encoded light, including black and white.
  private static let colors: [SIMD3<Float>] = (0...16).flatMap { red in
    (0...16).flatMap { green in
      (0...16).map { SIMD3(Float(red), Float(green), Float($0)) / 16 }
    }
  }

  @Test func `FastOklab differs from Oklab by less than 0.001`() {
    for encoded in Self.colors {
      let light = FastOklab.light(ofEncoded: SIMD4(encoded, 0)).xyz
      let exact = Oklab(linear: IEC61966.linear(ofEncoded: encoded))
      let fast = Oklab(components: FastOklab.components(linear: light).components)
      #expect(fast.distance(to: exact) < 0.001, "\(encoded)")
    }
  }

  @Test func `FastOklab light and its rate match the sRGB curve`() {
    for step in 0...1000 {
      let encoded = Double(step) / 1000
      let exact = IEC61966.linear(ofEncoded: encoded)
      let rate = encoded <= 0.04045 ? 1 / 12.92 : exact * 2.4 / (encoded + 0.055)
      let light = FastOklab.light(ofEncoded: SIMD4(repeating: Float(encoded)))
      let fastRate = FastOklab.lightRate(ofEncoded: SIMD4(repeating: Float(encoded)))
      #expect(abs(Double(light.x) - exact) < 0.000_04)
      #expect(abs(Double(fastRate.x) - rate) < 0.01)
    }
  }

  @Test func `FastOklab derivatives match finite differences`() {
    let step: Float = 0.002
    for encoded in Self.colors where encoded.min() > 0.2 && encoded.max() < 0.95 {
      func color(_ encoded: SIMD3<Float>) -> (components: SIMD3<Float>, coneRoots: SIMD3<Float>) {
        FastOklab.components(linear: FastOklab.light(ofEncoded: SIMD4(encoded, 0)).xyz)
      }
      let slope = FastOklab.lightRate(ofEncoded: SIMD4(encoded, 0)).xyz
      let (components, roots) = color(encoded)
      let derivatives = FastOklab.derivatives(coneRoots: roots, slope: slope, minimumSquare: 0.001)
      for (channel, derivative) in [derivatives.red, derivatives.green, derivatives.blue]
        .enumerated()
      {
        var moved = encoded
        moved[channel] += step
        let error = (color(moved).components - components) / step - derivative
        #expect(dot(error, error).squareRoot() < 0.05)
      }
    }
  }
}
