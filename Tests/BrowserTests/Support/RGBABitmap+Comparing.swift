import PlaceholdersTestSupport
import Foundation
import Testing

@testable import Placeholders

extension RGBABitmap {
  /// Returns the pixels of a rectangle.
  func part(x: Int, y: Int, width: Int, height: Int) -> RGBABitmap {
    let rows = (y..<y + height).map { row in
      let start = (row * self.width + x) * 4
      return pixels[start..<start + width * 4]
    }
    return RGBABitmap(width: width, height: height, unchecked: Array(rows.joined()))
  }

  /// Returns the peak signal-to-noise ratio in decibels, which is infinite for equal bitmaps.
  func signalToNoiseRatio(to other: RGBABitmap) -> Double {
    precondition(width == other.width && height == other.height, "the sizes must be equal")
    let (samples, others) = (rgb, other.rgb)
    let squares = zip(samples, others).reduce(0) { sum, pair in
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
