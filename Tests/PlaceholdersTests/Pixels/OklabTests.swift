import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct OklabTests {
  /// Source: CSS Color 4's and Ottosson's own values for the corners of sRGB.
  @Test(
    arguments: [
      ([1, 1, 1], [1, 0, 0]),
      ([1, 0, 0], [0.627955, 0.224863, 0.125846]),
      ([0, 1, 0], [0.866440, -0.233888, 0.179498]),
      ([0, 0, 1], [0.452014, -0.032457, -0.311528]),
      ([0, 0, 0], [0, 0, 0]),
    ] as [(SIMD3<Float>, SIMD3<Float>)])
  func `a color has its published coordinates`(linear: SIMD3<Float>, components: SIMD3<Float>) {
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
  func `grays have no hue`(gray: Float) {
    let components = Oklab(linear: SIMD3(repeating: gray)).components
    #expect(abs(components.y) < 1e-5)
    #expect(abs(components.z) < 1e-5)
  }
}
