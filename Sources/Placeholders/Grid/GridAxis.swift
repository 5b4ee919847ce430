/// The division of the columns or rows of a decoded image into the cells of a grid.
package struct GridAxis: Sendable, Hashable {
  /// The maximum number of cells of an axis.
  static let maximumCellCount = 128

  /// The first decoded index of each cell, and the end of the last one.
  let bounds: [Int]

  /// The source pixels covered by each cell.
  package let extents: [Range<Int>]

  /// Divides a decoded length evenly.
  ///
  /// The division is its own mirror image, so that a turned image has the turned grid. An odd length
  /// therefore has an odd number of cells.
  ///
  /// - Parameters:
  ///   - decodedLength: Pixels after the decoder's own scaling.
  ///   - sourceLength: Pixels in the file.
  ///   - scale: Source pixels per decoded pixel; the last one may cover fewer.
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

  /// The maximum number of decoded indices of a cell; the middle cell has up to two more than the mean.
  var maximumCellLength: Int { hasSingleCells ? 1 : (bounds.last ?? 0) / count + 2 }

  /// Whether each cell is one decoded index.
  var hasSingleCells: Bool { bounds.last == count }

  /// The cell of each decoded index.
  var cellOfIndex: [Int] {
    (0..<count).flatMap { cell in repeatElement(cell, count: bounds[cell + 1] - bounds[cell]) }
  }
}

/// The share of a cell in one of the equal parts of an axis.
struct AxisShare: Sendable, Hashable {
  let cell: Int
  let part: Int

  /// How much of the part is in the cell; the shares of a part add up to 1.
  let share: Float

  /// The shares of all cells in all parts, in order.
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
