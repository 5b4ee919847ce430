package import PlaceholderEncoding

extension RGBABitmap {
  /// Creates an opaque bitmap from RGB samples.
  package init(width: Int, height: Int, samples: [UInt8]) {
    let pixels = stride(from: 0, to: samples.count, by: 3).flatMap {
      samples[$0..<$0 + 3] + [255]
    }
    self.init(width: width, height: height, unchecked: pixels)
  }

  /// Creates a bitmap from a function of row and column.
  package init(width: Int, height: Int, row: (_ y: Int) -> (_ x: Int) -> SIMD3<UInt8>) {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      let pixel = row(y)
      for x in 0..<width {
        let color = pixel(x)
        pixels += [color.x, color.y, color.z, 255]
      }
    }
    self.init(width: width, height: height, unchecked: pixels)
  }

  /// A bitmap of one color.
  package static func flat(_ color: SIMD3<UInt8>, width: Int, height: Int) -> RGBABitmap {
    RGBABitmap(width: width, height: height) { _ in { _ in color } }
  }

  /// A bitmap of random samples, the same in each run.
  package static func noise(width: Int, height: Int) -> RGBABitmap {
    var random = LCG(seed: UInt64(width * 1_000_003 + height))
    return RGBABitmap(width: width, height: height, samples: random.bytes(width * height * 3))
  }

  /// The samples without alpha.
  package var rgb: [UInt8] {
    stride(from: 0, to: pixels.count, by: 4).flatMap { pixels[$0..<$0 + 3] }
  }

  /// The maximum difference between samples at the same position; `Int.max` if the sizes differ.
  package func maximumDifference(from other: RGBABitmap) -> Int {
    guard width == other.width && height == other.height else { return .max }
    return zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  /// The maximum difference between two samples of the same channel.
  package var spread: Int {
    (0..<3).map { channel in
      let values = stride(from: channel, to: pixels.count, by: 4).map { Int(pixels[$0]) }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }.max() ?? 0
  }
}
