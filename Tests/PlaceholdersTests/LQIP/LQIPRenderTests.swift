import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPRenderTests {
  /// The opacity of the stylesheet's gradient at a distance from its center, in radii.
  private static func opacity(_ radii: Double) -> Double {
    let stops = [
      (0, 1), (0.1, 0.98), (0.2, 0.92), (0.3, 0.82), (0.4, 0.68), (0.6, 0.32), (0.7, 0.18),
      (0.8, 0.08), (0.9, 0.02), (1, 0),
    ]
    for (lower, upper) in zip(stops, stops.dropFirst()) where radii < upper.0 {
      return lower.1 + (upper.1 - lower.1) * (radii - lower.0) / (upper.0 - lower.0)
    }
    return 0
  }

  /// A sample of the stylesheet's rendering: color 0 is solid, color 1 is `100% 75% at 40% 50%`, and color 2 is
  /// `150% 75% at 80% 100%`.
  private static func sample(_ colors: [Double], x: Double, y: Double) -> Double {
    let first = opacity(
      (((x - 0.4) / 1) * ((x - 0.4) / 1) + ((y - 0.5) / 0.75) * ((y - 0.5) / 0.75)).squareRoot())
    let second = opacity(
      (((x - 0.8) / 1.5) * ((x - 0.8) / 1.5) + ((y - 1) / 0.75) * ((y - 1) / 0.75)).squareRoot())
    let middle = colors[0] * (1 - first) + colors[1] * first
    return (middle * (1 - second) + colors[2] * second) * 255
  }

  @Test(
    arguments: [(1, 1), (7, 5), (32, 32), (100, 3), (64, 90)],
    [0, 0xF001_E007, 0x6590_F691, 0x1234_5678] as [UInt32])
  func `a preview matches the stylesheet`(size: (Int, Int), bits: UInt32) throws {
    let lqip = LQIP(LQIP.PackedColors(rawValue: bits))
    let bitmap = try lqip.bitmap(width: size.0, height: size.1)
    #expect((bitmap.width, bitmap.height) == size)
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        for channel in 0..<3 {
          let sample = Self.sample(
            lqip.colors.map { Double($0[channel]) },
            x: (Double(x) + 0.5) / Double(size.0), y: (Double(y) + 0.5) / Double(size.1))
          let own = Double(bitmap.pixels[(y * size.0 + x) * 4 + channel])
          #expect(abs(own - sample) <= 1, "(\(x), \(y))")
        }
      }
    }
  }

  @Test(arguments: [[1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 0, 1]] as [SIMD3<Float>])
  func `three equal colors render as a flat image`(color: SIMD3<Float>) throws {
    let lqip = LQIP(LQIP.PackedColors(rounding: [color, color, color]))
    let bitmap = try lqip.bitmap(width: 33, height: 21)
    let samples = SIMD3<UInt8>(color * 255)
    #expect(bitmap == .flat(samples, width: 33, height: 21))
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 5), (64, 48)])
  func `six colors are mixed by their weights at each pixel`(size: (Int, Int)) throws {
    let lqip = LQIP(
      LQIP.PackedColors(rawValue: 0x6590_F691), LQIP.PackedColors(rawValue: 0x1234_A678))
    let bitmap = try lqip.bitmap(width: size.0, height: size.1)
    for pixel in 0..<size.0 * size.1 {
      let color = LQIPGradient.mix(
        lqip.colors, layers: LQIPGradient.forSixColors,
        x: (Float(pixel % size.0) + 0.5) / Float(size.0),
        y: (Float(pixel / size.0) + 0.5) / Float(size.1))
      for channel in 0..<3 {
        #expect(abs(Float(bitmap.pixels[pixel * 4 + channel]) - 255 * color[channel]) < 0.501)
      }
    }
  }
}
