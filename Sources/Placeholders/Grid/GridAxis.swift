/// The division of the columns or rows of a decoded image into cells of a grid.
package struct GridAxis: Sendable, Hashable {
  /// The maximum number of cells of an axis.
  static let maximumCellCount = 128

  /// The first decoded index of each cell, and the end of the last cell.
  let bounds: [Int]

  /// The source columns or rows covered by each cell.
  package let extents: [Range<Int>]

  /// Divides a decoded length evenly.
  ///
  /// The division is symmetric, so that the grid of a rotated image is the rotated grid. An odd length therefore has an
  /// odd number of cells.
  ///
  /// - Parameters:
  ///   - decodedLength: The number of pixels after scaling by the codec.
  ///   - sourceLength: The number of pixels in the file.
  ///   - scale: The number of source pixels per decoded pixel; the last decoded pixel may cover fewer.
  package init(decodedLength: Int, sourceLength: Int, scale: Int) {
    let count = min(decodedLength, Self.maximumCellCount - decodedLength % 2)
    bounds = (0...count).map { cell in
      cell <= count / 2
        ? cell * decodedLength / count
        : decodedLength - (count - cell) * decodedLength / count
    }
    extents = zip(bounds, bounds.dropFirst()).map { lower, upper in
      lower * scale..<min(upper * scale, sourceLength)
    }
  }

  var count: Int { extents.count }

  /// An upper bound of decoded indices per cell; the middle cell has up to two more than the mean.
  var maximumCellLength: Int { hasPixelCells ? 1 : (bounds.last ?? 0) / count + 2 }

  /// Whether each cell is one decoded index.
  var hasPixelCells: Bool { bounds.last == count }

  /// The cell of each decoded index.
  var cellOfIndex: [Int] {
    (0..<count).flatMap { cell in repeatElement(cell, count: bounds[cell + 1] - bounds[cell]) }
  }
}

/// The share of a cell in one of the equal parts of an axis.
struct AxisShare: Sendable, Hashable {
  let cell: Int
  let part: Int

  /// The share of the part that the cell covers; the shares of a part sum to 1.
  let share: Float

  /// The shares of all cells, in the order of cells and parts; without zero shares.
  static func all(of extents: [Range<Int>], partCount: Int) -> [AxisShare] {
    let partLength = Double(extents.last?.upperBound ?? 0) / Double(partCount)
    var shares: [AxisShare] = []
    shares.reserveCapacity(extents.count + partCount)
    var part = 0
    for (cell, extent) in extents.enumerated() {
      while part < partCount {
        let lower = max(Double(extent.lowerBound), Double(part) * partLength)
        let upper = min(Double(extent.upperBound), Double(part + 1) * partLength)
        if upper > lower {
          shares.append(
            AxisShare(cell: cell, part: part, share: Float((upper - lower) / partLength)))
        }
        if Double(part + 1) * partLength > Double(extent.upperBound) { break }
        part += 1
      }
    }
    return shares
  }
}
