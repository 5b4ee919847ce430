import Testing

package import PlaceholderEncoding

/// The results of Pillow and the C reference for an image: a row of `golden.tsv`.
package struct Golden: Sendable, CustomTestStringConvertible {
  package let path: String
  package let width: Int
  package let height: Int
  package let orientation: Int
  package let hasAlpha: Bool
  package let isAnimated: Bool
  /// The mean in linear light.
  package let average: SIMD3<Double>
  package let components: BlurHash.ComponentCount
  package let blurHash: BlurHash

  package var testDescription: String { path }

  /// Whether no pixel is transparent, even if the file has an alpha channel.
  package var isOpaque: Bool {
    let opaque = [
      "gif-clear-color-unused.gif", "png-rgba-opaque.png", "webp-alpha-flag-alone.webp",
    ]
    return !hasAlpha || opaque.contains(path)
  }

  /// Returns all rows of the table.
  package static func rows() throws -> [Golden] {
    try Fixtures.table("golden.tsv").map(Golden.init)
  }

  private init(row: [String: String]) throws {
    path = try #require(row["path"])
    width = try #require(row["width"].flatMap { Int($0) })
    height = try #require(row["height"].flatMap { Int($0) })
    orientation = try #require(row["orientation"].flatMap { Int($0) })
    hasAlpha = try #require(row["has_alpha"]) == "true"
    isAnimated = try #require(row["animated"]) == "true"
    average = SIMD3(
      try #require(row["linear_red"].flatMap(Double.init)),
      try #require(row["linear_green"].flatMap(Double.init)),
      try #require(row["linear_blue"].flatMap(Double.init)))
    components = try #require(row["components"].flatMap(BlurHash.ComponentCount.init))
    blurHash = try BlurHash(parsing: try #require(row["blurhash"]))
  }

  /// The maximum difference between a color and the expected mean, in 8-bit steps per channel.
  package func maximumDifference(from color: SRGBColor) -> Double {
    let samples = [color.red, color.green, color.blue]
    return (0..<3).map { channel in
      abs(Double(samples[channel]) - IEC61966.encoded(ofLinear: average[channel]) * 255)
    }.max() ?? 0
  }
}
