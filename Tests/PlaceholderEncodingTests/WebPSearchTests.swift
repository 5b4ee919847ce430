import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct WebPSearchTests {
  /// Overlapping discs of random sizes and colors; 96×64 pixels.
  private static func discs(_ count: Int) throws -> PixelGrid {
    let (width, height) = (96, 64)
    var random = LCG(seed: UInt64(count))
    var pixels = [UInt8](repeating: 128, count: width * height * 3)
    for _ in 0..<count {
      let numbers = random.bytes(6).map { Int($0) }
      let (column, row) = (numbers[0] * width / 256, numbers[1] * height / 256)
      let radius = 4 + numbers[2] / 9
      for y in 0..<height {
        for x in 0..<width {
          let (across, down) = (x - column, y - row)
          guard across * across + down * down < radius * radius else { continue }
          for channel in 0..<3 {
            pixels[(y * width + x) * 3 + channel] = UInt8(numbers[3 + channel])
          }
        }
      }
    }
    return try PixelGrid(pixels: pixels, width: width, height: height, format: .rgb)
  }

  /// The smallest distance over all sizes, each with the finest quantizer that fits.
  private static func smallestDistance(to grid: PixelGrid, capacity: Int) -> Float {
    let target = PictureDistance(to: grid)
    let distances = stride(from: 4, through: PreviewImage.maximumSide, by: 4).compactMap { side in
      let bitmap = grid.bitmap(longSide: side)
      guard let writer = WebPWriter(bitmap, capacity: capacity, isLossless: false) else {
        return nil as Float?
      }
      var finest: [UInt8]?
      for quantizer in WebPWriter.quantizers.reversed() {
        guard let bytes = writer.file(quantizer: quantizer, alphaQuality: 100)?.bytes else { break }
        finest = bytes
      }
      return finest.flatMap { RGBABitmap(webP: $0, width: bitmap.width, height: bitmap.height) }
        .map { target.distance(of: $0) }
    }
    return distances.min() ?? 0
  }

  @Test(
    arguments: [
      (2, 132), (4, 78), (4, 132), (4, 207), (4, 282), (12, 207), (20, 207), (60, 78), (100, 207),
      (200, 207),
    ])
  func `the search finds a file about as close as the closest of all sizes`(
    discCount: Int, capacity: Int
  ) throws {
    let grid = try Self.discs(discCount)
    let file = try #require(WebPSearch(grid, capacity: capacity).closest())
    #expect(file.image.bytes.count <= capacity)
    let decoded = try #require(
      RGBABitmap(webP: file.image.bytes, width: file.image.width, height: file.image.height))
    let distance = PictureDistance(to: grid).distance(of: decoded)
    #expect(distance == file.distance)
    #expect(distance <= Self.smallestDistance(to: grid, capacity: capacity) * 1.05)
  }

  @Test(arguments: [(256, true), (255, false)])
  func `a lossless file is tried if the capacity has at least four bytes per color`(
    capacity: Int, isLossless: Bool
  ) throws {
    // A gradient of 64 grays, for which a lossless file is small.
    var pixels: [UInt8] = []
    for row in 0..<32 {
      for column in 0..<48 {
        pixels += repeatElement(UInt8(4 * (column + row / 16 * 16)), count: 3)
      }
    }
    let grid = try PixelGrid(pixels: pixels, width: 48, height: 32, format: .rgb)
    let file = try #require(WebPSearch(grid, capacity: capacity).closest())
    #expect(file.image.bytes[12..<16].elementsEqual("VP8L".utf8) == isLossless)
  }
}
