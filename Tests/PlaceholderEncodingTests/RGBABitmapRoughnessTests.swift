import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct RGBABitmapRoughnessTests {
  /// Noise with a given number of colors.
  private static func noise(width: Int, height: Int, colorCount: UInt64) -> RGBABitmap {
    var random = LCG(seed: 7)
    let samples = (0..<width * height).flatMap { _ -> [UInt8] in
      let color = (random.next() >> 32) % colorCount
      return [UInt8(color * 37 & 255), UInt8(color * 91 & 255), UInt8(color >> 3 & 255)]
    }
    return RGBABitmap(width: width, height: height, samples: samples)
  }

  /// The sum over all rows of the smaller difference: from the samples to the left or from those above.
  private static func roughness(_ bitmap: RGBABitmap) -> Int {
    (0..<bitmap.height).reduce(0) { sum, y in
      func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        x < 0 || y < 0 ? 0 : Int(bitmap.pixels[(y * bitmap.width + x) * 4 + channel])
      }
      var (left, above) = (0, 0)
      for x in 0..<bitmap.width {
        for channel in 0..<3 {
          left += abs(sample(x, y, channel) - sample(x - 1, y, channel))
          above += abs(sample(x, y, channel) - sample(x, y - 1, channel))
        }
      }
      return sum + min(left, above)
    }
  }

  @Test(arguments: [(1, 1), (1, 32), (32, 1), (3, 2), (31, 32), (32, 32)], [1, 3, 40, 5000])
  func `a rough bitmap has many colors and differs from its neighbors`(
    size: (Int, Int), colorCount: UInt64
  ) {
    let bitmap = Self.noise(width: size.0, height: size.1, colorCount: colorCount)
    let pixels = (0..<size.0 * size.1).map { Array(bitmap.pixels[$0 * 4..<$0 * 4 + 3]) }
    let hasManyColors = (Set(pixels).count - 1) * 2 > pixels.count
    let roughness = Self.roughness(bitmap)
    #expect(bitmap.isRough(beyond: roughness) == false)
    #expect(bitmap.isRough(beyond: roughness - 1) == hasManyColors)
  }
}
