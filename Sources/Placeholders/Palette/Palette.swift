/// The colors that an image is mostly made of.
public struct Palette: Sendable, Hashable {
  /// One of the colors.
  public struct Swatch: Sendable, Hashable {
    /// The mean of what is counted for this color.
    public let color: SRGBColor
    /// The share of the visible pixels that this color stands for, 0...1.
    public let share: Float

    package init(color: SRGBColor, share: Float) {
      self.color = color
      self.share = share
    }
  }

  /// The most colors that there are.
  public static let maximumCount: Int = 6

  /// At most six colors, that with the largest share first; none if all of the image is transparent.
  public let swatches: [Swatch]

  /// The color with the largest share.
  public var dominantColor: SRGBColor? { swatches.first?.color }

  /// Gathers the colors of an image, averaged to 24 cells a side, by their distances in OKLab.
  ///
  /// Source: Lloyd, "Least squares quantization in PCM" (1982), from the average and the colors that are
  /// farthest from those before them, with longer steps. Colors that are hardly told apart are one.
  ///
  /// - Parameter grid: The image.
  /// - Complexity: O(cells).
  public init(_ grid: PixelGrid) {
    let points = PalettePoints(grid)
    let leastWeight = Self.leastShare * points.mean.w
    let clusters = Self.merged(Self.clusters(points)).filter { $0.w >= leastWeight }
    let shown = clusters.reduce(0) { $0 + $1.w }
    swatches = clusters.sorted { $0.w > $1.w }.map {
      Swatch(
        color: SRGBColor(linear: Oklab(components: SIMD3($0.x, $0.y, $0.z)).linear),
        share: $0.w / shown)
    }
  }

  /// Takes colors that another process has found.
  ///
  /// - Precondition: At most ``maximumCount``, that with the largest share first.
  package init(swatches: [Swatch]) {
    precondition(swatches.count <= Self.maximumCount)
    self.swatches = swatches
  }

  private static let iterationCount = 5
  /// Almost twice as far as the mean.
  ///
  /// At twice, colors would not come to rest. The last step is a plain one, and after five the colors are closer
  /// to the points than after eight of those.
  private static let longStep: Float = 1.8
  /// Less than this is left out.
  private static let leastShare: Float = 0.01
  /// Less than this, and two colors are one.
  private static let leastSquaredDistance: Float = 0.0025

  /// Means with their weights.
  private static func clusters(_ points: PalettePoints) -> [SIMD4<Float>] {
    guard points.mean.w > 0 else { return [] }
    var means = PaletteMeans(of: points)
    for iteration in 1...iterationCount {
      guard means.move(to: points, step: iteration < iterationCount ? longStep : 1) else { break }
    }
    return means.means.filter { $0.w > 0 }
  }

  /// Joins the nearest two as long as they are hardly told apart.
  private static func merged(_ clusters: [SIMD4<Float>]) -> [SIMD4<Float>] {
    var clusters = clusters
    while true {
      let pairs = clusters.indices.flatMap { one in clusters.indices.prefix(one).map { (one, $0) } }
      guard
        let (one, other) = pairs.min(by: {
          squaredDistance(clusters[$0.0], clusters[$0.1])
            < squaredDistance(clusters[$1.0], clusters[$1.1])
        }), squaredDistance(clusters[one], clusters[other]) < leastSquaredDistance
      else { return clusters }
      clusters[other] = unweighted(weighted(clusters[one]) + weighted(clusters[other]))
      clusters.remove(at: one)
    }
  }

  /// The color times its weight, beside the weight.
  static func weighted(_ point: SIMD4<Float>) -> SIMD4<Float> {
    var sum = point * point.w
    sum.w = point.w
    return sum
  }

  static func unweighted(_ sum: SIMD4<Float>) -> SIMD4<Float> {
    var mean = sum / sum.w
    mean.w = sum.w
    return mean
  }

  private static func squaredDistance(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
    var offset = one - other
    offset.w = 0
    return (offset * offset).sum()
  }
}

#if !hasFeature(Embedded)
/// Coded as an array of objects with `color`, a text such as `#47d375`, and `share`, to three decimals.
extension Palette: Codable {
  /// Decodes a palette, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    swatches = try [Swatch](from: decoder)
  }

  /// Encodes the swatches.
  public func encode(to encoder: any Encoder) throws {
    try swatches.encode(to: encoder)
  }
}

extension Palette.Swatch: Codable {
  private enum CodingKeys: String, CodingKey {
    case color, share
  }

  /// Decodes a color and its share, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let color = SRGBColor(hex: try container.decode(String.self, forKey: .color)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .color, in: container,
        debugDescription: "expected '#' followed by 6 hexadecimal digits")
    }
    self.init(color: color, share: try container.decode(Float.self, forKey: .share))
  }

  /// Encodes the color and its share.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(color.hex, forKey: .color)
    try container.encode((Double(share) * 1000).rounded() / 1000, forKey: .share)
  }
}
#endif
