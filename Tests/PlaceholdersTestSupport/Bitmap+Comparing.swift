package import PlaceholderEncoding
import Placeholders

extension Bitmap {
  /// Creates a bitmap from a function of row and column.
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

  /// A bitmap of random samples, the same in each run.
  package static func noise(width: Int, height: Int) -> Bitmap {
    var random = LCG(seed: UInt64(width * 1_000_003 + height))
    return Bitmap(width: width, height: height, samples: random.bytes(width * height * 3))
  }

  /// The maximum difference between samples at the same position.
  package func steps(from other: Bitmap) -> Int {
    guard width == other.width && height == other.height else { return .max }
    return zip(samples, other.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  /// The maximum range of samples in one channel.
  package var spread: Int {
    (0..<3).map { channel in
      let values = stride(from: channel, to: samples.count, by: 3).map { Int(samples[$0]) }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }.max() ?? 0
  }
}
