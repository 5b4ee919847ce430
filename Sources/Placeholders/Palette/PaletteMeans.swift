/// The colors that points are gathered around.
struct PaletteMeans {
  /// The components of each, beside the weight of its points; as many as a palette has at most.
  private(set) var means: [SIMD4<Float>]

  /// Starts from the mean of some points and from those that are farthest from the colors before them.
  init(of points: PalettePoints) {
    means = points.farthest(from: points.mean)
  }

  /// Moves each towards the mean of the points that are nearest to it; one without points stays.
  ///
  /// - Parameters:
  ///   - points: The points.
  ///   - step: How far: 1 is to their mean, and more is beyond that.
  /// - Returns: Whether one has moved.
  mutating func move(to points: PalettePoints, step: Float) -> Bool {
    let before = means
    for (index, sum) in points.sums(by: means).enumerated() {
      if sum.w > 0 { means[index] += (Palette.unweighted(sum) - means[index]) * step }
      means[index].w = sum.w
    }
    return means != before
  }
}
