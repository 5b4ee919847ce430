/// The dominant colors of an image.
public struct ImagePalette: Sendable, Hashable {
  /// A color and its share of the image.
  public struct Swatch: Sendable, Hashable {
    /// The mean color of a cluster of similar pixels.
    public let color: SRGBColor
    /// The share of the cluster in the pixels of all swatches, 0...1; pixels are weighted by alpha.
    public let share: Float

    package init(color: SRGBColor, share: Float) {
      self.color = color
      self.share = share
    }
  }

  /// The maximum number of colors.
  public static let maximumCount: Int = 6

  /// Up to ``maximumCount`` swatches, by descending share; empty if every pixel is transparent.
  public let swatches: [Swatch]

  /// The color with the largest share; nil if every pixel is transparent.
  public var dominantColor: SRGBColor? { swatches.first?.color }

  /// Encodes an image by averaging it to 24×24 points and clustering their colors in OKLab.
  ///
  /// The initial colors are the average, then repeatedly the color farthest from all previous ones. Nearly equal colors
  /// are merged, and colors with a share below 1% are dropped.
  ///
  /// Source: Lloyd, "Least squares quantization in PCM" (1982), with longer steps.
  ///
  /// - Parameter grid: The image.
  /// - Complexity: O(cells).
  public init(encoding grid: PixelGrid) {
    let points = PalettePoints(grid)
    let minimumWeight = Self.minimumShare * points.mean.w
    let clusters = Self.merged(Self.clusters(points)).filter { $0.w >= minimumWeight }
    let totalWeight = clusters.reduce(0) { $0 + $1.w }
    swatches = clusters.sorted { $0.w > $1.w }.map {
      Swatch(
        color: SRGBColor(linear: Oklab(components: $0.xyz).linear),
        share: $0.w / totalWeight)
    }
  }

  /// Creates a palette from swatches that another process computed.
  ///
  /// - Precondition: There are at most ``maximumCount`` swatches, by descending share.
  package init(swatches: [Swatch]) {
    precondition(swatches.count <= Self.maximumCount)
    self.swatches = swatches
  }

  private static let iterationCount = 5
  /// The length of each step but the last, relative to the distance to the mean of the cluster.
  ///
  /// Steps of length 2 would not converge. Five steps, the last of which has length 1, end closer to the points than
  /// eight steps of length 1.
  private static let stepLength: Float = 1.8
  /// The share below which a cluster is dropped.
  private static let minimumShare: Float = 0.01
  /// The squared distance in OKLab below which two clusters are merged.
  private static let mergeSquaredDistance: Float = 0.0025

  /// Returns the means of the clusters, with their weights in the fourth lane.
  private static func clusters(_ points: PalettePoints) -> [SIMD4<Float>] {
    guard points.mean.w > 0 else { return [] }
    var means = points.farthest(from: points.mean)
    for iteration in 1...iterationCount {
      let step = iteration < iterationCount ? stepLength : 1
      let previous = means
      for (index, sum) in points.sums(by: means).enumerated() {
        // A mean without points does not move.
        if sum.w > 0 { means[index] += (unweighted(sum) - means[index]) * step }
        means[index].w = sum.w
      }
      if means == previous { break }
    }
    return means.filter { $0.w > 0 }
  }

  /// Repeatedly merges the two nearest clusters until all clusters are distinguishable.
  private static func merged(_ clusters: [SIMD4<Float>]) -> [SIMD4<Float>] {
    var clusters = clusters
    while true {
      let pairs = clusters.indices.flatMap { one in clusters.indices.prefix(one).map { (one, $0) } }
      guard
        let (one, other) = pairs.min(by: {
          squaredDistance(clusters[$0.0], clusters[$0.1])
            < squaredDistance(clusters[$1.0], clusters[$1.1])
        }), squaredDistance(clusters[one], clusters[other]) < mergeSquaredDistance
      else { return clusters }
      clusters[other] = unweighted(weighted(clusters[one]) + weighted(clusters[other]))
      clusters.remove(at: one)
    }
  }

  /// Returns the weighted sum that a mean represents: its color times its weight, with the weight in the fourth lane.
  static func weighted(_ point: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(point.xyz * point.w, point.w)
  }

  /// Returns the mean that a weighted sum represents; the inverse of ``weighted(_:)``.
  static func unweighted(_ sum: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(sum.xyz / sum.w, sum.w)
  }

  private static func squaredDistance(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
    let offset = (one - other).xyz
    return dot(offset, offset)
  }
}

#if !hasFeature(Embedded)
/// The `Codable` form: an array of objects with `color`, such as `#47d375`, and `share`, rounded to three decimals.
extension ImagePalette: Codable {
  /// Decodes a palette.
  ///
  /// - Throws: A `DecodingError` if the value is not an array of swatches.
  public init(from decoder: any Decoder) throws {
    swatches = try [Swatch](from: decoder)
  }

  /// Encodes the swatches.
  public func encode(to encoder: any Encoder) throws {
    try swatches.encode(to: encoder)
  }
}

extension ImagePalette.Swatch: Codable {
  /// Encodes the color and its share.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(color, forKey: .color)
    try container.encode((Double(share) * 1000).rounded() / 1000, forKey: .share)
  }
}
#endif
