/// The colors that points are gathered around, each with the weight of its points.
struct PaletteMeans {
  /// The components of each, and its weight.
  private(set) var means: [SIMD4<Float>]

  init(first: SIMD4<Float>) {
    means = [first]
  }

  mutating func append(_ color: SIMD4<Float>) {
    means.append(color)
  }

  /// Moves each to the mean of the points that are nearest to it; one without points stays.
  ///
  /// - Parameter points: The points.
  /// - Returns: Whether one has moved.
  mutating func move(to points: PalettePoints) -> Bool {
    var sums = Array(repeating: SIMD4<Float>.zero, count: means.count)
    points.add(to: &sums, by: means)
    let before = means
    for (index, sum) in sums.enumerated() {
      if sum.w > 0 { means[index] = Palette.unweighted(sum) } else { means[index].w = 0 }
    }
    return means != before
  }
}
