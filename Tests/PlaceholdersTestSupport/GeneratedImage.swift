import Placeholders

/// Images computed from a seed, and their placeholders.
///
/// This file is also compiled for other platforms, which must produce the same text.
package enum GeneratedImage {
  /// The placeholders of every method, separated by spaces.
  package static func placeholders(seed: UInt32) -> String {
    let grid = grid(seed: seed)
    let components = ComponentCount.auto(width: grid.sourceWidth, height: grid.sourceHeight)
    let three = PackedLQIP(encoding: grid, by: .fitted)
    return [
      BlurHash(encoding: grid, components: components).string,
      BlurHash(fitting: grid, components: components).string,
      PackedLQIP(encoding: grid, by: .corners).string, three.string,
      text(of: PackedLQIP(encoding: grid, over: three)), grid.averageColor.hex,
      ThumbHash(encoding: grid).string, TinyJPEG(encoding: grid).string,
      IntegerLQIP(fitting: grid).description,
      Palette(grid).swatches.map { $0.color.hex }.joined(),
    ].joined(separator: " ")
  }

  private static func text(of second: PackedLQIP?) -> String {
    second?.string ?? "none"
  }

  /// A gradient with a disc and some noise, up to 300 pixels per side.
  private static func grid(seed: UInt32) -> PixelGrid {
    var random = LCG(seed: UInt64(seed))
    // Random bytes only, because Int has a different width on other platforms.
    let numbers = random.bytes(18).map { Int($0) }
    let width = 1 + numbers[16] * 299 / 255
    let height = 1 + numbers[17] * 299 / 255
    let radius = (1 + numbers[12]) * min(width, height) / 512
    let center = (x: numbers[13] * width / 255, y: numbers[14] * height / 255)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (across, down) = (x - center.x, y - center.y)
        let isInside = across * across + down * down <= radius * radius
        let noise = Int(random.bytes(1)[0]) / 16
        for channel in 0..<4 {
          let ground =
            (numbers[channel] * (width - x) + numbers[channel + 4] * x) / width * y / height
          let sample = (isInside ? numbers[channel + 8] : ground) + noise
          pixels.append(UInt8(min(255, channel == 3 ? 128 + sample : sample)))
        }
      }
    }
    return PixelGrid(pixels: pixels, width: width, height: height, format: .rgba)
  }
}
