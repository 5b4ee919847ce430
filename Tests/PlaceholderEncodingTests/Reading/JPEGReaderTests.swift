import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGReaderTests {
  private static func grid(
    _ fixture: String, _ options: DecodeOptions = DecodeOptions()
  ) throws -> PixelGrid {
    try ImageDecoder(options: options).decode(fixture: fixture).grid
  }

  /// The largest power of two, up to 8, that divides every bound of a grid's cells.
  private static func scale(of grid: PixelGrid) -> Int {
    let bounds = grid.columns.map(\.lowerBound) + grid.rows.map(\.lowerBound)
    return [8, 4, 2].first { scale in bounds.allSatisfy { $0 % scale == 0 } } ?? 1
  }

  @Test(arguments: [
    ("jpeg-baseline-420.jpg", 1), ("jpeg-half-scale-560x520.jpg", 2),
    ("jpeg-quarter-scale-1100x1040.jpg", 4), ("jpeg-eighth-scale-2100x2060.jpg", 8),
    ("jpeg-progressive.jpg", 1), ("jpeg-progressive-dc-only-400x264.jpg", 8),
    ("jpeg-progressive-dc-only-scans-apart-264x300.jpg", 8),
  ])
  func
    `an image is decoded at the smallest scale that leaves 256 pixels, or a progressive at 1 to 8`(
      fixture: String, scale: Int
    ) throws
  {
    #expect(try Self.scale(of: Self.grid(fixture)) == scale)
  }

  @Test(arguments: [
    "jpeg-half-scale-560x520.jpg", "jpeg-quarter-scale-1100x1040.jpg",
    "jpeg-progressive-dc-only-400x264.jpg",
  ])
  func `an exact decode is of full size`(fixture: String) throws {
    #expect(try Self.scale(of: Self.grid(fixture, .exact)) == 1)
  }

  @Test(arguments: [
    "jpeg-half-scale-560x520.jpg", "jpeg-quarter-scale-1100x1040.jpg",
    "jpeg-eighth-scale-2100x2060.jpg", "jpeg-progressive-dc-only-400x264.jpg",
    "jpeg-progressive-dc-only-scans-apart-264x300.jpg",
    "jpeg-progressive-dc-only-refined-last-300x280.jpg",
  ])
  func `a scaled decode looks like the full one`(fixture: String) throws {
    let full = try Self.grid(fixture, .exact)
    let scaled = try Self.grid(fixture)
    let distances = zip(
      scaled.areaMeans(width: 32, height: 32), full.areaMeans(width: 32, height: 32)
    ).map { Oklab(linear: $0).distance(to: Oklab(linear: $1)) }
    #expect(distances.reduce(0, +) / Float(distances.count) < 0.01)
  }

  @Test(arguments: ["3-segments", "out-of-order"])
  func `the segments of a profile are joined by their numbers`(name: String) throws {
    #expect(
      try PlaceholderEncoder().encode(fixture: "jpeg-icc-display-p3-\(name).jpg")
        == PlaceholderEncoder().encode(fixture: "jpeg-icc-display-p3.jpg"))
  }

  @Test(arguments: [
    ("jpeg-icc-garbage.jpg", "jpeg-baseline-444.jpg"),
    ("jpeg-icc-gray-on-rgb.jpg", "jpeg-baseline-444.jpg"),
    ("jpeg-icc-rgb-on-gray.jpg", "jpeg-gray.jpg"),
  ])
  func `a useless profile changes nothing but the warnings`(
    fixture: String, plain: String
  ) throws {
    let placeholders = try PlaceholderEncoder().encode(fixture: fixture)
    #expect(placeholders.picture == (try PlaceholderEncoder().encode(fixture: plain).picture))
    #expect(
      placeholders.warnings == ["color profile ignored: it is damaged or meant for other images"])
  }

  @Test(arguments: [
    ("jpeg-icc-segment-missing.jpg", "jpeg-baseline-444.jpg"),
    ("jpeg-icc-srgb.jpg", "jpeg-baseline-444.jpg"),
    ("jpeg-20000-empty-app1.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-without-jfif.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-fill-bytes.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-trailing-garbage.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-missing-eoi.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-optimized.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-arithmetic.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-progressive.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-restart-every-2-blocks.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-multi-scan-baseline.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-without-huffman-tables.jpg", "jpeg-baseline-420.jpg"),
    ("jpeg-ycck-progressive.jpg", "jpeg-ycck.jpg"),
    ("jpeg-rgb-by-component-ids.jpg", "jpeg-rgb.jpg"),
  ])
  func `the same coefficients give the same picture`(fixture: String, plain: String) throws {
    #expect(try Self.grid(fixture) == Self.grid(plain))
  }

  @Test func `Adobe stores ink inverted`() throws {
    let inverted = try Self.grid("jpeg-cmyk-adobe-inverted.jpg").average
    let plain = try Self.grid("jpeg-cmyk-without-adobe.jpg").average
    for channel in 0..<3 { #expect(abs(inverted[channel] - plain[channel]) < 0.002) }
  }
}
