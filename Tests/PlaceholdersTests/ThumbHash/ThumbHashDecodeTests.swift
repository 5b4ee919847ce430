import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ThumbHashDecodeTests {
  @Test(arguments: try ThumbHashGolden.rows().filter { $0.file != nil })
  func `a rendering matches an independent implementation`(golden: ThumbHashGolden) throws {
    let file = try PlainPNG(try Fixtures.bytes(try #require(golden.file)))
    let size = (width: file.width, height: file.height)
    // Unlike the published implementation, the independent one uses at least three terms per side.
    let least = 2.9 / (golden.hash.hasAlpha ? 5 : 7)
    if min(golden.hash.aspectRatio, 1 / golden.hash.aspectRatio) > least {
      #expect(golden.hash.bitmapSize == size)
    }
    let bitmap = try golden.hash.bitmap(width: size.width, height: size.height)
    #expect(bitmap.isOpaque || golden.hash.hasAlpha)
    let expected = try file.samples()
    for pixel in 0..<size.width * size.height {
      let own = bitmap.pixels[pixel * 4..<pixel * 4 + 4]
      for (one, other) in zip(own, expected[pixel * 4..<pixel * 4 + 4]) {
        #expect(abs(Int(one) - Int(other)) <= 1, "pixel \(pixel)")
      }
    }
  }

  /// The channels at a pixel, computed as double sums over their terms: lightness, yellow, red and alpha.
  private static func channels(
    of hash: ThumbHash, x: Double, y: Double
  ) -> [Double] {
    let bytes = hash.bytes.map { Int($0) }
    let header = bytes[0] | bytes[1] << 8 | bytes[2] << 16
    let scales = bytes[3] | bytes[4] << 8
    var digits = bytes.dropFirst(hash.hasAlpha ? 6 : 5).flatMap { [$0 & 15, $0 >> 4] }[...]
    func channel(_ terms: TriangularTerms, _ average: Double, _ scale: Double) -> Double {
      terms.frequencies.reduce(average) { sum, term in
        sum + (Double(digits.removeFirst()) / 7.5 - 1) * scale
          * cos(Double.pi * Double(term.x) * x) * cos(Double.pi * Double(term.y) * y) * 2
      }
    }
    return [
      channel(hash.lightnessTerms, Double(header & 63) / 63, Double(header >> 18 & 31) / 31),
      channel(
        .color, Double(header >> 6 & 63) / 31.5 - 1, Double(scales >> 3 & 63) / 63 * 1.25),
      channel(
        .color, Double(header >> 12 & 63) / 31.5 - 1, Double(scales >> 9 & 63) / 63 * 1.25),
      hash.hasAlpha
        ? channel(.alpha, Double(bytes[5] & 15) / 15, Double(bytes[5] >> 4) / 15) : 1,
    ]
  }

  @Test(arguments: [(1, 1), (2, 3), (3, 2), (5, 7), (33, 20)])
  func `separable summation equals the double sum`(size: (Int, Int)) throws {
    for golden in try ThumbHashGolden.rows() {
      let bitmap = try golden.hash.bitmap(width: size.0, height: size.1)
      for pixel in 0..<size.0 * size.1 {
        let channels = Self.channels(
          of: golden.hash, x: (Double(pixel % size.0) + 0.5) / Double(size.0),
          y: (Double(pixel / size.0) + 0.5) / Double(size.1))
        let blue = channels[0] - 2 / 3 * channels[1]
        let red = (3 * channels[0] - blue + channels[2]) / 2
        let own = bitmap.pixels[pixel * 4..<pixel * 4 + 4]
        for (sample, value) in zip(own, [red, red - channels[2], blue, channels[3]]) {
          #expect(abs(Double(sample) - max(0, min(1, value)) * 255) < 0.5 + 1e-9)
        }
      }
    }
  }

  @Test func `the aspect ratio of a hash approximates that of the image`() throws {
    for golden in try ThumbHashGolden.rows() {
      let ratio = Double(golden.width) / Double(golden.height)
      let hashRatio = golden.hash.aspectRatio
      #expect((hashRatio > 1) == (ratio > 1 && hashRatio != 1))
      let maximumTerms = golden.hash.hasAlpha ? 5.0 : 7.0
      let error = abs(min(ratio, 1 / ratio) - min(hashRatio, 1 / hashRatio))
      #expect(
        error <= max(1 / maximumTerms, 0.5 / maximumTerms + 1e-9), "\(golden.testDescription)")
    }
  }
}
