import PlaceholdersTestSupport
import Foundation
import Testing

@testable import Placeholders

extension Bitmap {
  /// Returns the pixels of a rectangle.
  func part(x: Int, y: Int, width: Int, height: Int) -> Bitmap {
    var samples: [UInt8] = []
    for row in y..<y + height {
      let start = (row * self.width + x) * 3
      samples += self.samples[start..<start + width * 3]
    }
    return Bitmap(width: width, height: height, samples: samples)
  }

  /// Returns the peak signal-to-noise ratio in decibels, which is infinite for equal bitmaps.
  func signalToNoiseRatio(to other: Bitmap) -> Double {
    precondition(width == other.width && height == other.height, "the sizes must be equal")
    let squares = zip(samples, other.samples).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    return 10 * log10(255 * 255 * Double(samples.count) / Double(squares))
  }

  /// Decodes an image from a browser and drops its alpha channel.
  init(base64PNG text: String?) throws {
    let data = try #require(text.flatMap { Data(base64Encoded: $0) })
    let file = try PlainPNG(Array(data))
    guard file.format == .rgba else {
      self = try file.bitmap()
      return
    }
    let samples = try file.samples()
    self.init(
      width: file.width, height: file.height,
      samples: samples.indices.filter { $0 % 4 != 3 }.map { samples[$0] })
  }
}
