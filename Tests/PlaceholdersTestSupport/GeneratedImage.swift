import Placeholders

/// Images computed from a seed, and their placeholders.
///
/// This file is also compiled for other platforms, which must produce the same text.
package enum GeneratedImage {
  /// The placeholders of every method, separated by spaces.
  package static func placeholders(seed: UInt32) -> String {
    guard let grid = try? grid(seed: seed) else { return "" }
    let six = LQIP(encoding: grid, method: .six)
    return [
      "\(BlurHash(encoding: grid))", "\(BlurHash(encoding: grid, method: .fitted))",
      "\(LQIP(encoding: grid, method: .corners))", "\(six.first)",
      six.second?.description ?? "none", "\(grid.averageColor)", "\(ThumbHash(encoding: grid))",
      "\(TinyJPEG(encoding: grid))", "\(CSSInteger(encoding: grid))",
      ImagePalette(encoding: grid).swatches.map { $0.color.description }.joined(),
    ].joined(separator: " ")
  }

  /// A gradient with a disc and some noise, up to 300 pixels per side; half of the images are opaque, and a quarter
  /// are gray.
  private static func grid(seed: UInt32) throws(ImageSizeError) -> PixelGrid {
    var random = LCG(seed: UInt64(seed))
    // Random bytes only, because Int has a different width on other platforms.
    let numbers = random.bytes(18).map { Int($0) }
    let width = 1 + numbers[16] * 299 / 255
    let height = 1 + numbers[17] * 299 / 255
    let radius = (1 + numbers[12]) * min(width, height) / 512
    let center = (x: numbers[13] * width / 255, y: numbers[14] * height / 255)
    let isOpaque = numbers[15] & 1 == 1
    let isGray = numbers[15] & 6 == 0
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (across, down) = (x - center.x, y - center.y)
        let isInside = across * across + down * down <= radius * radius
        let noise = Int(random.bytes(1)[0]) / 16
        for lane in 0..<4 {
          let channel = isGray && lane < 3 ? 0 : lane
          let ground =
            (numbers[channel] * (width - x) + numbers[channel + 4] * x) / width * y / height
          let sample = (isInside ? numbers[channel + 8] : ground) + noise
          let least = lane < 3 ? 0 : isOpaque ? 255 : 128
          pixels.append(UInt8(min(255, least + sample)))
        }
      }
    }
    return try PixelGrid(pixels: pixels, width: width, height: height, format: .rgba)
  }
}
