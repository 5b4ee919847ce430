package import PlaceholderEncoding
import Placeholders

extension Bitmap {
  /// Makes rows by their number, and each row's pixels by theirs.
  package init(width: Int, height: Int, row: (_ y: Int) -> (_ x: Int) -> SIMD3<UInt8>) {
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * 3)
    for y in 0..<height {
      let pixel = row(y)
      for x in 0..<width {
        let color = pixel(x)
        samples.append(color.x)
        samples.append(color.y)
        samples.append(color.z)
      }
    }
    self.init(width: width, height: height, samples: samples)
  }

  /// A bitmap of one color.
  package static func flat(_ color: SIMD3<UInt8>, width: Int, height: Int) -> Bitmap {
    Bitmap(width: width, height: height) { _ in { _ in color } }
  }

  /// A bitmap without a pattern.
  package static func noise(width: Int, height: Int) -> Bitmap {
    var random = LCG(seed: UInt64(width * 1_000_003 + height))
    return Bitmap(width: width, height: height, samples: random.bytes(width * height * 3))
  }

  /// The most that two samples at the same place differ.
  package func steps(from other: Bitmap) -> Int {
    guard width == other.width && height == other.height else { return .max }
    return zip(samples, other.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  /// How far the samples of the channel that varies most lie apart.
  package var spread: Int {
    (0..<3).map { channel in
      let values = stride(from: channel, to: samples.count, by: 3).map { Int(samples[$0]) }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }.max() ?? 0
  }
}
