/// How the columns, or the rows, of a decoded image fall into the cells of a grid.
package struct GridAxis: Sendable, Hashable {
  /// The most cells an axis has.
  static let maximumCellCount = 128

  /// The first decoded index of each cell, and the end of the last one.
  let bounds: [Int]

  /// The source pixels that each cell covers.
  package let extents: [Range<Int>]

  /// Divides a decoded length evenly.
  ///
  /// The division is its own mirror image, so that a turned image gives the turned grid. That is why
  /// an odd length gets an odd number of cells.
  ///
  /// - Parameters:
  ///   - decodedLength: Pixels after the decoder's own scaling.
  ///   - sourceLength: Pixels in the file.
  ///   - scale: Source pixels a decoded one; the last one may cover fewer.
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

  /// No cell has more decoded indices: the one in the middle may have up to two more than the mean.
  var maximumCellLength: Int { hasSingleCells ? 1 : (bounds.last ?? 0) / count + 2 }

  /// Whether each cell is one decoded index.
  var hasSingleCells: Bool { bounds.last == count }

  /// The cell of each decoded index.
  var cellOfIndex: [Int] {
    (0..<count).flatMap { cell in repeatElement(cell, count: bounds[cell + 1] - bounds[cell]) }
  }
}
