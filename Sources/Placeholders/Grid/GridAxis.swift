/// The division of the columns or rows of a decoded image into the cells of a grid.
package struct GridAxis: Sendable, Hashable {
  static let maximumCellCount = 128

  /// The index of the first decoded column or row of each cell, then the end of the last cell.
  let bounds: [Int]

  /// The index of the first source column or row of each cell, then the end of the last cell.
  package let sourceBounds: [Int]

  /// Divides the decoded columns or rows into cells as evenly as possible.
  ///
  /// The division is symmetric, so the grid of a rotated image equals the rotated grid. An odd length therefore has an
  /// odd number of cells. A decoded pixel covers `scale` source pixels, except that the last one may cover fewer.
  package init(decodedLength: Int, sourceLength: Int, scale: Int) {
    let count = min(decodedLength, Self.maximumCellCount - decodedLength % 2)
    bounds = (0...count).map { cell in
      cell <= count / 2
        ? cell * decodedLength / count
        : decodedLength - (count - cell) * decodedLength / count
    }
    sourceBounds = bounds.map { min($0 * scale, sourceLength) }
  }

  /// Divides the columns or rows of a smaller version of an image.
  package init(decodedLength: Int, enlargedTo sourceLength: Int) {
    let axis = GridAxis(decodedLength: decodedLength, sourceLength: decodedLength, scale: 1)
    bounds = axis.bounds
    sourceBounds = bounds.map { ($0 * sourceLength * 2 + decodedLength) / (decodedLength * 2) }
  }

  /// The number of decoded columns or rows.
  package var decodedLength: Int { bounds[count] }

  var count: Int { bounds.count - 1 }

  /// An upper bound on the decoded columns or rows per cell; the middle cell can exceed the mean by up to two.
  var maximumCellLength: Int { hasPixelCells ? 1 : (bounds.last ?? 0) / count + 2 }

  /// Whether each cell covers exactly one decoded column or row.
  var hasPixelCells: Bool { bounds.last == count }

  /// Returns the index of the cell that covers a decoded column or row.
  func cell(of index: Int) -> Int {
    let length = bounds[count]
    guard index < (length + 1) / 2 else { return count - 1 - cell(of: length - 1 - index) }
    return ((index + 1) * count - 1) / length
  }
}

/// The share of a cell in one of the equal parts into which an axis is divided.
struct AxisShare: Sendable, Hashable {
  let cell: Int
  let part: Int

  /// The fraction of the part that the cell covers; the fractions of a part sum to 1.
  let share: Float

  /// Returns the nonzero shares of all cells, ordered by cell, then by part.
  static func all(of bounds: [Int], partCount: Int) -> [AxisShare] {
    let partLength = Double(bounds[bounds.count - 1]) / Double(partCount)
    var shares: [AxisShare] = []
    shares.reserveCapacity(bounds.count + partCount)
    var part = 0
    for cell in 0..<bounds.count - 1 {
      let (start, end) = (Double(bounds[cell]), Double(bounds[cell + 1]))
      while part < partCount {
        let lower = max(start, Double(part) * partLength)
        let upper = min(end, Double(part + 1) * partLength)
        if upper > lower {
          shares.append(
            AxisShare(cell: cell, part: part, share: Float((upper - lower) / partLength)))
        }
        if Double(part + 1) * partLength > end { break }
        part += 1
      }
    }
    return shares
  }
}
