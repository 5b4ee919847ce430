/// Which cells of one axis of a grid each of some equal points covers.
struct PointAxis {
  /// Some cells in a row, of which the first and the last of a point may lie in others as well.
  struct Run {
    /// The first of the cells.
    let cell: Int

    /// How many they are, from 1 to ``PointAxis/longestRun``.
    private(set) var count: Int

    private var shares: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    init(cell: Int) {
      self.cell = cell
      count = 0
      shares = (.zero, .zero, .zero, .zero)
    }

    /// How much of the point a cell is, the same in all lanes; zero behind the last one.
    @inline(__always)
    func share(_ place: Int) -> SIMD4<Float> {
      switch place {
      case 0: shares.0
      case 1: shares.1
      case 2: shares.2
      default: shares.3
      }
    }

    mutating func append(_ share: Float) {
      let share = SIMD4(repeating: share)
      switch count {
      case 0: shares.0 = share
      case 1: shares.1 = share
      case 2: shares.2 = share
      default: shares.3 = share
      }
      count += 1
    }
  }

  /// The cells of a point that are added at once.
  static let longestRun = 4

  /// The runs of all points, one behind the other.
  private(set) var runs: [Run] = []

  /// Where the runs of each point begin, and where the last ones end.
  private(set) var firstRuns: [Int] = [0]

  /// Divides an axis into equal points.
  init(extents: [Range<Int>], pointCount: Int) {
    firstRuns.reserveCapacity(pointCount + 1)
    runs.reserveCapacity(pointCount + (pointCount + extents.count) / Self.longestRun)
    // Where a point ends, in parts of a pixel that make all edges whole.
    let length = extents.last?.upperBound ?? 0
    let unit = 1 / Float(length)
    var cell = 0
    for point in 0..<pointCount {
      let (lower, upper) = (point * length, (point + 1) * length)
      var run = Run(cell: cell)
      while true {
        let start = max(lower, extents[cell].lowerBound * pointCount)
        let end = min(upper, extents[cell].upperBound * pointCount)
        run.append(Float(end - start) * unit)
        if extents[cell].upperBound * pointCount >= upper { break }
        cell += 1
        if run.count == Self.longestRun {
          runs.append(run)
          run = Run(cell: cell)
        }
      }
      runs.append(run)
      firstRuns.append(runs.count)
      if extents[cell].upperBound * pointCount == upper && cell + 1 < extents.count { cell += 1 }
    }
  }
}
