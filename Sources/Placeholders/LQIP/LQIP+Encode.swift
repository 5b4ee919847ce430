extension LQIP {
  /// A method of computing the colors; the stylesheet is the same for all methods.
  @nonexhaustive
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The three colors whose rendering is closest to the image in OKLab, as found by a search.
    case fitted

    /// The means of the top left, center and bottom right of 3×3 equal areas, with each channel rounded independently.
    ///
    /// Source: frzi/lqip-css, which uses the pixels of a browser's 3×3 thumbnail.
    case corners

    /// The fitted colors, and three more if they reduce the distance.
    case six
  }

  /// Encodes an image.
  ///
  /// - Parameters:
  ///   - grid: The image.
  ///   - method: The method of computing the colors.
  /// - Complexity: O(cells).
  public init(encoding grid: PixelGrid, method: Method = .fitted) {
    if method == .corners {
      self.init(PackedColors(corners: grid))
    } else {
      let fit = LQIPFit(grid.opaqueThumbnail)
      let first = fit.threeColors()
      self.init(first, method == .six ? fit.second(over: first) : nil)
    }
  }
}

extension LQIP.PackedColors {
  /// Averages the encoded samples of the three areas on the diagonal, as a browser's canvas does.
  fileprivate init(corners grid: PixelGrid) {
    let columns = AxisShare.all(of: grid.columnBounds, partCount: 3)
    let rows = AxisShare.all(of: grid.rowBounds, partCount: 3)
    self.init(
      rounding: (0..<3).map { part in
        var mean = SIMD3<Float>.zero
        for row in rows where row.part == part {
          for column in columns where column.part == part {
            let cell = grid.light[row.cell * grid.columnCount + column.cell].xyz
            let samples = SIMD3<Float>(SRGB.samples(ofLinear: cell))
            mean += row.share * column.share * samples
          }
        }
        return mean / 255
      })
  }
}

/// The fit of packed colors to an image.
///
/// The rendering is linear in the encoded colors, so Gauss-Newton steps approach the smallest distance. A discrete
/// descent then searches the packed colors near that point.
struct LQIPFit: Sendable {
  private static let threeColorWeights = LQIPGradient.weights(layers: LQIPGradient.forThreeColors)
  private static let sixColorWeights = LQIPGradient.weights(layers: LQIPGradient.forSixColors)

  private let image: ScaledImage
  private let isNeutral: Bool
  /// Whether the image has a single color that is not gray.
  private let hasSingleColor: Bool

  init(_ grid: PixelGrid) {
    image = ScaledImage(grid)
    isNeutral = image.isNeutral
    hasSingleColor = !isNeutral && image.hasSingleColor
  }

  /// Searches for the three colors whose rendering is closest to the image.
  func threeColors() -> LQIP.PackedColors {
    // Three different colors can be closer to a single color on average, but are visible as blotches. Gray needs
    // them, because the packed colors that look gray are far apart.
    if hasSingleColor {
      return LQIP.PackedColors(rounding: Array(repeating: image.corners[1], count: 3))
    }
    let corners = LQIP.PackedColors(rounding: image.corners)
    let objective = LQIPObjective(image: image, weights: Self.threeColorWeights, base: [])
    let distance = objective.distance(corners.channels)
    // At no scale may the distance exceed that of the corners. An image with a figure has no limits, because the
    // corners may not show the figure.
    let limits = image.figure == nil ? distance.values : SIMD8(repeating: .infinity)
    return PackedSearch(objective: objective, isNeutral: isNeutral, limits: limits)
      .best(from: corners, at: distance)
  }

  /// Searches for three colors that, drawn over the first three, bring the rendering closest to the image.
  ///
  /// - Returns: The colors; nil if they do not reduce the total distance, if they increase the distance at any scale,
  ///   or if the image has a single color that is not gray.
  func second(over first: LQIP.PackedColors) -> LQIP.PackedColors? {
    if hasSingleColor { return nil }
    // The colors that the first three render at the centers of the gradients of the second three.
    let below = LQIPGradient.forSixColors.dropFirst(2).map { layer in
      LQIPGradient.mix(
        first.colors, layers: LQIPGradient.forThreeColors, x: layer.center.x, y: layer.center.y)
    }
    let limits = LQIPObjective(image: image, weights: Self.threeColorWeights, base: [])
      .distance(first.channels).values
    // Small gradients mainly add detail. With a weight of 1, the fit would sacrifice detail to the coarse scales, which
    // three colors already render well.
    let objective = LQIPObjective(
      image: image, weights: Self.sixColorWeights, base: first.colors, finestWeight: 8)
    let start = LQIP.PackedColors(rounding: below)
    let second = PackedSearch(objective: objective, isNeutral: isNeutral, limits: limits)
      .best(from: start, at: objective.distance(start.channels))
    let distance = objective.distance(second.channels).values
    return distance.sum() < limits.sum() && all(distance .<= limits) ? second : nil
  }
}
