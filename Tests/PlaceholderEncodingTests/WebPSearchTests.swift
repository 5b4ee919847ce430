import CPlaceholderCodecs
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
    let distances = stride(from: 4, through: 64, by: 4).compactMap { side in
      let bitmap = grid.bitmap(longSide: side)
      guard let writer = WebPWriter(bitmap, capacity: capacity, .LQIP_LOSSY) else {
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

  /// A picture like an icon: a few discs, with or without a transparent ground and noise.
  private static func icon(_ seed: Int) -> RGBABitmap {
    var random = LCG(seed: UInt64(seed))
    let numbers = random.bytes(40).map { Int($0) }
    let (width, height) = (1 + numbers[0] % 48, 1 + numbers[1] % 48)
    let isClear = seed.isMultiple(of: 3)
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        var pixel = isClear ? [0, 0, 0, 0] : [numbers[2], numbers[3], numbers[4], 255]
        for disc in 0..<1 + numbers[5] % 5 {
          let part = numbers[6 + disc * 6..<12 + disc * 6]
          let place = Array(part)
          let (across, down) = (x - place[0] % width, y - place[1] % height)
          let radius = 1 + place[2] % 16
          guard across * across + down * down < radius * radius else { continue }
          pixel = part.suffix(3) + [255]
        }
        if seed.isMultiple(of: 7), pixel[3] > 0 { pixel[seed % 3] ^= Int(random.bytes(1)[0]) & 3 }
        pixels += pixel.map { UInt8($0) }
      }
    }
    return RGBABitmap(width: width, height: height, unchecked: pixels)
  }

  @Test func `the preview of an image of up to 48 pixels is the image if that fits`() throws {
    var identicalCount = 0
    for seed in 0..<300 {
      let icon = Self.icon(seed)
      let image = try ImageDecoder().decode(icon.pngData())
      let smallest = WebPWriter(icon, capacity: 282, .LQIP_SMALLEST_LOSSLESS)
      guard smallest?.file(quantizer: 0, alphaQuality: 100)?.bytes != nil else { continue }
      identicalCount += 1
      let preview = try #require(PreviewImage(encoding: image.grid))
      let shown = try ImageDecoder().decode(preview.bytes).grid
      #expect(shown == image.grid, "\(seed): \(icon.width)x\(icon.height)")
    }
    #expect(identicalCount > 150)
  }

  @Test(arguments: [(200, 120), (256, 256), (65, 256)])
  func `the preview of a flat image of up to 256 pixels is the image`(
    width: Int, height: Int
  ) throws {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let bar = x * 8 / width
        pixels += y * 9 / height > bar ? [40, 120, UInt8(20 * bar), 255] : [255, 255, 255, 255]
      }
    }
    let chart = RGBABitmap(width: width, height: height, unchecked: pixels)
    var options = PlaceholderEncoder.Options()
    options.kinds = [.preview]
    let preview = try #require(
      try PlaceholderEncoder(options).encode(chart.pngData()).preview)
    let shown = try #require(RGBABitmap(webP: preview.bytes, width: width, height: height))
    #expect(shown == chart)
  }
}
