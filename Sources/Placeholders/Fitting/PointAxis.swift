/// Which cells of one axis of a grid each of some equal points covers.
struct PointAxis {
  /// A run of cells for each point, of which the first and the last may lie in others as well.
  private(set) var runs: [Range<Int>] = []

  /// Where the shares of each point begin.
  private(set) var firstShares: [Int] = []

  /// How much of a point each cell of a run is: those of all runs, one behind the other.
  private(set) var shares: [Float] = []

  /// Divides an axis into equal points.
  init(extents: [Range<Int>], pointCount: Int) {
    runs.reserveCapacity(pointCount)
    firstShares.reserveCapacity(pointCount)
    shares.reserveCapacity(pointCount + extents.count)
    // Where a point ends, in parts of a pixel that make all edges whole.
    let length = extents.last?.upperBound ?? 0
    let unit = 1 / Float(length)
    var cell = 0
    for point in 0..<pointCount {
      let (lower, upper) = (point * length, (point + 1) * length)
      let first = cell
      firstShares.append(shares.count)
      while true {
        let start = max(lower, extents[cell].lowerBound * pointCount)
        let end = min(upper, extents[cell].upperBound * pointCount)
        shares.append(Float(end - start) * unit)
        if extents[cell].upperBound * pointCount >= upper { break }
        cell += 1
      }
      runs.append(first..<cell + 1)
      if extents[cell].upperBound * pointCount == upper && cell + 1 < extents.count { cell += 1 }
    }
  }
}
