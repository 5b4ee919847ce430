extension LQIP {
  /// A method of choosing the colors; the stylesheet is the same for all methods.
  @nonexhaustive
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The three colors whose rendering has the smallest distance from the image.
    case fitted

    /// The means of three areas on the diagonal of 3×3 equal areas, each channel rounded independently.
    ///
    /// Source: frzi/lqip-css, which takes the pixels of a browser's 3×3 thumbnail.
    case corners

    /// The fitted colors, and three more if they reduce the distance.
    case six
  }

  /// Encodes an image.
  ///
  /// - Parameters:
  ///   - grid: The image.
  ///   - method: The method of choosing the colors.
  /// - Complexity: O(cells).
  public init(encoding grid: PixelGrid, method: Method = .fitted) {
    if method == .corners {
      self.init(PackedColors(corners: grid))
    } else {
      let fit = LQIPFit(grid)
      let first = fit.three()
      self.init(first, method == .six ? fit.second(over: first) : nil)
    }
  }
}

extension LQIP.PackedColors {
  /// Takes means of encoded light, as the canvas of a browser does.
  fileprivate init(corners grid: PixelGrid) {
    let columns = AxisShare.all(of: grid.columns, partCount: 3)
    let rows = AxisShare.all(of: grid.rows, partCount: 3)
    self.init(
      rounding: (0..<3).map { part in
        var mean = SIMD3<Float>.zero
        for row in rows where row.part == part {
          for column in columns where column.part == part {
            let cell = grid.light[row.cell * grid.columns.count + column.cell].xyz
            let samples = SIMD3<Float>(SRGBEncoder.shared.samples(ofLinear: cell))
            mean += row.share * column.share * samples
          }
        }
        return mean / 255
      })
  }
}

/// The fit of packed colors to an image.
///
/// The rendering is linear in the encoded colors, so that steps of Gauss and Newton lead to the least
/// distance; and among the packed colors around that point the best are found by going downhill.
struct LQIPFit: Sendable {
  private static let three = LQIPWeights.scaled(layers: LQIPGradient.forThreeColors)
  private static let six = LQIPWeights.scaled(layers: LQIPGradient.forSixColors)

  private let image: ScaledImage
  private let isNeutral: Bool
  /// Whether the image is of one color, and that is no gray.
  private let isPlain: Bool

  /// Prepares an image.
  init(_ grid: PixelGrid) {
    image = ScaledImage(grid)
    isNeutral = image.isNeutral
    isPlain = !isNeutral && image.isPlain
  }

  /// The best three colors.
  func three() -> LQIP.PackedColors {
    // Three that differ come closer to one color on average, but are seen as clouds. Gray needs them, as the
    // values that look gray are far apart.
    if isPlain {
      return LQIP.PackedColors(rounding: Array(repeating: image.corners[1], count: 3))
    }
    let corners = LQIP.PackedColors(rounding: image.corners)
    let objective = objective(Self.three, base: [])
    let distance = objective.distance(corners.channels)
    // At no scale farther than the corners; but these may have lost the figure.
    let limits = image.figure == nil ? distance.values : .infinite
    return search(objective, limits: limits).best(from: corners, at: distance)
  }

  /// The best three colors to be laid over others.
  ///
  /// Nil if they do not reduce the total distance, or increase it at any scale, or if the image is of one
  /// color.
  func second(over first: LQIP.PackedColors) -> LQIP.PackedColors? {
    if isPlain { return nil }
    // What is seen below, as if there were no others.
    let below = LQIPGradient.forSixColors.dropFirst(2).map { layer in
      LQIPWeights.mix(
        first.colors,
        by: LQIPWeights.weights(
          x: layer.center.x, y: layer.center.y, layers: LQIPGradient.forThreeColors))
    }
    let limits = objective(Self.three, base: []).distance(first.channels).values
    // Small gradients can add detail most of all: counted once, it would be given up for coarse scales, at
    // which three colors do well already.
    let objective = objective(Self.six, base: first.colors, finestCount: 8)
    let start = LQIP.PackedColors(rounding: below)
    let second = search(objective, limits: limits)
      .best(from: start, at: objective.distance(start.channels))
    let distance = objective.distance(second.channels).values
    return distance.sum() < limits.sum() && all(distance .<= limits) ? second : nil
  }

  private func objective(
    _ weights: ScaleWeights, base: [SIMD3<Float>], finestCount: Float = 1
  ) -> LQIPObjective {
    LQIPObjective(image: image, weights: weights, base: base, finestCount: finestCount)
  }

  private func search(_ objective: LQIPObjective, limits: SIMD8<Float>) -> PackedSearch {
    PackedSearch(objective: objective, isNeutral: isNeutral, limits: limits)
  }
}

extension SIMD8<Float> {
  /// No limits.
  fileprivate static let infinite = SIMD8(repeating: .infinity)
}
