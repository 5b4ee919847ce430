import Testing

@testable import Placeholders

/// What Pillow and the C reference say of an image: a row of `golden.tsv`.
struct Golden: Sendable, CustomTestStringConvertible {
  let path: String
  let width: Int
  let height: Int
  let orientation: Int
  let hasAlpha: Bool
  let isAnimated: Bool
  /// The mean in linear light.
  let average: SIMD3<Double>
  let components: ComponentCount
  let blurHash: BlurHash

  var testDescription: String { path }

  /// All rows.
  static func rows() throws -> [Golden] {
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
    components = try #require(row["components"].flatMap(ComponentCount.init))
    blurHash = try BlurHash(try #require(row["blurhash"]))
  }

  /// The most that a channel of a color differs from the golden mean, in 8-bit steps.
  func steps(from color: SRGBColor) -> Double {
    let samples = [color.red, color.green, color.blue]
    return (0..<3).map { channel in
      abs(Double(samples[channel]) - IEC61966.encoded(ofLinear: average[channel]) * 255)
    }.max() ?? 0
  }
}
