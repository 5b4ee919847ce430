/// Where equal parts of one axis of a grid meet, in its cells.
struct AreaEdge {
  /// The cell that the edge is in.
  let cell: Int

  /// How much of that cell lies before the edge, 0...1.
  let fraction: Float

  /// Divides an axis into equal parts.
  ///
  /// - Parameters:
  ///   - extents: What each cell covers.
  ///   - partCount: The parts.
  /// - Returns: Their edges: one more than there are parts.
  static func all(of extents: [Range<Int>], partCount: Int) -> [AreaEdge] {
    let length = extents.last?.upperBound ?? 0
    var cell = 0
    // In parts of a pixel that make all edges whole.
    return (0...partCount).map { part in
      while part * length > extents[cell].upperBound * partCount { cell += 1 }
      let (extent, position) = (extents[cell], part * length)
      return AreaEdge(
        cell: cell,
        fraction: Float(position - extent.lowerBound * partCount) / Float(extent.count * partCount))
    }
  }
}
