import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PictureDistanceTests {
  @Test func `the distance between flat pictures is that of their colors, twice at three scales`() {
    let (one, other): (SIMD3<UInt8>, SIMD3<UInt8>) = ([200, 90, 40], [60, 120, 220])
    let found = PictureDistance(to: PixelGrid(.flat(one, width: 20, height: 10)))
      .distance(of: .flat(other, width: 4, height: 3))
    let colors = [one, other].map {
      Oklab(linear: RGBABitmap.flat($0, width: 1, height: 1).linearRow(0)[0].xyz)
    }
    #expect(abs(found - 6 * colors[0].distance(to: colors[1])) < 0.003)
  }

  /// The cubic kernel with a = -0.5 as in the source: Keys, equation 4.
  private static func weight(_ distance: Double) -> Double {
    let (a, x) = (-0.5, abs(distance))
    if x < 1 { return (a + 2) * x * x * x - (a + 3) * x * x + 1 }
    return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0
  }

  /// The share of each of `count` pixels in each of 48 cells along an axis.
  private static func shares(_ count: Int) -> [[Double]] {
    (0..<48).map { cell in
      let center = (Double(cell) + 0.5) / 48 * Double(count)
      let weights = (0..<count).map { weight(Double($0) + 0.5 - center) }
      return weights.map { $0 / weights.reduce(0, +) }
    }
  }

  @Test func `a picture has nearly no distance from its bicubic enlargement`() {
    var random = LCG(seed: 3)
    let (width, height) = (6, 4)
    let samples = (0..<width * height * 3).map { _ in UInt8.random(in: 80...170, using: &random) }
    let (columns, rows) = (Self.shares(width), Self.shares(height))
    let image = PixelGrid(width: 48, height: 48) { x, y in
      var color = SIMD3<Double>.zero
      for pixel in 0..<width * height {
        let share = columns[x][pixel % width] * rows[y][pixel / width]
        for channel in 0..<3 {
          color[channel] += share * Double(samples[pixel * 3 + channel]) / 255
        }
      }
      return IEC61966.linear(ofEncoded: SIMD3<Float>(color))
    }
    let picture = RGBABitmap(width: width, height: height, samples: samples)
    #expect(PictureDistance(to: image).distance(of: picture) < 0.006)
  }
}
