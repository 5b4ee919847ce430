/// The colors that points are gathered around.
struct PaletteMeans {
  /// The components of each, beside the weight of its points; as many as a palette has at most.
  private(set) var means: [SIMD4<Float>]

  /// Starts from the mean of some points and from those that are farthest from the colors before them.
  init(of points: PalettePoints) {
    means = points.farthest(from: points.mean)
  }

  /// Moves each to the mean of the points that are nearest to it; one without points stays.
  ///
  /// - Parameter points: The points.
  /// - Returns: Whether one has moved.
  mutating func move(to points: PalettePoints) -> Bool {
    let before = means
    for (index, sum) in points.sums(by: means).enumerated() {
      if sum.w > 0 { means[index] = Palette.unweighted(sum) } else { means[index].w = 0 }
    }
    return means != before
  }
}
