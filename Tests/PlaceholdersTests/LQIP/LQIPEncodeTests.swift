import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct LQIPEncodeTests {
  private static func corners(_ fixture: String) throws -> LQIP {
    LQIP(encoding: try ImageDecoder().decode(fixture: fixture).grid, method: .corners)
  }

  /// The mean of encoded samples, 0...1, in one of 3×3 parts, whose edges may divide pixels.
  private static func mean(of bitmap: RGBABitmap, column: Int, row: Int, channel: Int) -> Double {
    var sum = 0.0
    for y in row * bitmap.height..<(row + 1) * bitmap.height {
      for x in column * bitmap.width..<(column + 1) * bitmap.width {
        let pixel = y / 3 * bitmap.width + x / 3
        sum += Double(bitmap.pixels[pixel * 4 + channel]) / 255
      }
    }
    return sum / Double(bitmap.width * bitmap.height)
  }

  @Test(arguments: [
    "size-1x1.png", "size-2x1.png", "size-5x3.png", "size-31x57.png", "size-128x96.png",
    "noise.png", "two-colors.png",
  ])
  func `the corners method rounds the means of the diagonal parts of a 3x3 grid`(fixture: String)
    throws
  {
    let bitmap = try PlainPNG.bitmap(fixture)
    let levels = try Self.corners(fixture).first.levels
    let largest = [[15.0, 15, 7], [15, 15, 7], [7, 15, 7]]
    for part in 0..<3 {
      for channel in 0..<3 {
        let mean = Self.mean(of: bitmap, column: part, row: part, channel: channel)
        let exact = mean * largest[part][channel]
        #expect(abs(Double(levels[part * 3 + channel]) - exact) < 0.51)
      }
    }
  }
}
