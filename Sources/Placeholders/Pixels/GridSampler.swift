/// Averages an image over equal areas, in as many divisions as are asked for.
///
/// It adds up each column of cells once, whereupon the light of an area is the difference of two sums: what
/// ``PixelGrid/areaMeans(width:height:)`` gives, at a fraction of its cost.
package struct GridSampler: Sendable {
  /// The image.
  package let grid: PixelGrid

  /// For each edge between rows of cells: the light above it in each column, times pixels.
  private let sums: [SIMD4<Float>]

  /// How many pixels each column of cells covers.
  private let columnLengths: [SIMD4<Float>]

  /// Adds up the columns.
  ///
  /// - Complexity: O(cells).
  package init(_ grid: PixelGrid) {
    self.grid = grid
    let (width, height) = (grid.columns.count, grid.rows.count)
    columnLengths = grid.columns.map { SIMD4(repeating: Float($0.count)) }
    let rowLengths = grid.rows.map { SIMD4(repeating: Float($0.count)) }
    // The fourth lane holds no color; it is cleared because subnormal numbers are slow. The mask is computed at
    // run time, since the compiler would turn a constant one back into slow three-lane loads.
    let none = UInt32(truncatingIfNeeded: width >> 32)
    let mask = SIMD4(~none, ~none, ~none, none)
    sums = unsafe [SIMD4<Float>](unsafeUninitializedCapacity: (height + 1) * width) {
      sums, count in
      for column in 0..<width { unsafe sums.initializeElement(at: column, to: .zero) }
      unsafe grid.cells.withFourLanes { cells in
        @inline(__always)
        func addUp(_ first: Int, columnCount: Int) {
          var light = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
          for row in 0..<height {
            let length = rowLengths[row]
            @inline(__always)
            func add(_ column: Int, to light: inout SIMD4<Float>) {
              let cell = row &* width &+ first &+ column
              unsafe light += length * cleared(cells[cell], mask)
              unsafe sums.initializeElement(at: cell &+ width, to: light)
            }
            add(0, to: &light.0)
            if columnCount > 1 { add(1, to: &light.1) }
            if columnCount > 2 { add(2, to: &light.2) }
            if columnCount > 3 { add(3, to: &light.3) }
          }
        }
        // In four columns at a time, no sum waits for the one before it.
        for first in stride(from: 0, through: width - 4, by: 4) { addUp(first, columnCount: 4) }
        for column in width / 4 * 4..<width { addUp(column, columnCount: 1) }
      }
      count = (height + 1) * width
    }
  }

  /// The image in 24×24 cells: all that the CSS placeholders and the palette are made of.
  ///
  /// It is its own thumbnail, so that several of them can share it.
  package var thumbnail: PixelGrid { squared(side: Self.thumbnailSide) }

  /// Cells of a thumbnail across and down.
  static let thumbnailSide = 24

  /// The same image in as many cells across as down, as if it were a square of so many pixels.
  func squared(side: Int) -> PixelGrid {
    if grid.isOpaque && grid.hasPixels(width: side, height: side) { return grid }
    let extents = (0..<side).map { $0..<$0 + 1 }
    return PixelGrid(
      columns: extents, rows: extents,
      cells: Array(threeLanesOf: points(width: side, height: side)))
  }

  /// The light of equal areas, row-major; the fourth lanes mean nothing.
  ///
  /// - Parameters:
  ///   - width: Areas across.
  ///   - height: Areas down.
  /// - Returns: `width * height` colors.
  /// - Complexity: O(columns of cells · `height` + `width * height`).
  func points(width: Int, height: Int) -> [SIMD4<Float>] {
    if grid.hasPixels(width: width, height: height) {
      return unsafe grid.cells.withFourLanes { unsafe Array($0) }
    }
    let columnEdges = AreaEdge.all(of: grid.columns, partCount: width)
    let rowEdges = AreaEdge.all(of: grid.rows, partCount: height)
    let scale = Float(width * height) / Float(grid.sourceWidth * grid.sourceHeight)
    // The sums above a row of areas, and those of the row before each column.
    var above = Array(sums[..<columnLengths.count])
    var row = Array(repeating: SIMD4<Float>.zero, count: columnLengths.count + 1)
    return unsafe [SIMD4<Float>](unsafeUninitializedCapacity: width * height) { points, count in
      for edge in rowEdges.dropFirst() {
        addRow(above: edge, &above, to: &row)
        unsafe setPoints(
          UnsafeMutableBufferPointer(rebasing: points[count..<count + width]), to: row,
          between: columnEdges, scale: scale)
        count += width
      }
    }
  }

  /// Moves down the edge of the sums, and adds up what it passes from column to column.
  ///
  /// No light becomes negative: sums do not fall, and neither does what is rounded between two of them.
  private func addRow(
    above edge: AreaEdge, _ above: inout [SIMD4<Float>], to row: inout [SIMD4<Float>]
  ) {
    let width = columnLengths.count
    precondition(above.count == width && row.count == width + 1 && edge.cell < grid.rows.count)
    unsafe sums.withUnsafeBufferPointer { sums in
      unsafe above.withUnsafeMutableBufferPointer { above in
        unsafe row.withUnsafeMutableBufferPointer { row in
          unsafe columnLengths.withUnsafeBufferPointer { lengths in
            let first = edge.cell * width
            let fraction = SIMD4(repeating: edge.fraction)
            var sum = SIMD4<Float>.zero
            for column in 0..<width {
              let upper = unsafe sums[first &+ column]
              let lower = unsafe sums[first &+ width &+ column]
              let next = upper + fraction * (lower - upper)
              unsafe sum += lengths[column] * (next - above[column])
              unsafe above[column] = next
              unsafe row[column &+ 1] = sum
            }
          }
        }
      }
    }
  }

  /// Computes the points of a row of areas.
  private func setPoints(
    _ points: UnsafeMutableBufferPointer<SIMD4<Float>>, to row: [SIMD4<Float>],
    between edges: [AreaEdge], scale: Float
  ) {
    precondition(edges.count == points.count + 1 && edges[points.count].cell + 1 < row.count)
    unsafe row.withUnsafeBufferPointer { row in
      unsafe edges.withUnsafeBufferPointer { edges in
        var before = SIMD4<Float>.zero
        for point in 0..<points.count {
          let edge = unsafe edges[point &+ 1]
          let (left, right) = unsafe (row[edge.cell], row[edge.cell &+ 1])
          let next = left + edge.fraction * (right - left)
          unsafe points.initializeElement(at: point, to: scale * (next - before))
          before = next
        }
      }
    }
  }
}

extension PixelGrid {
  /// Whether each cell is one of so many pixels.
  fileprivate func hasPixels(width: Int, height: Int) -> Bool {
    hasPixelCells && columns.count == width && rows.count == height
  }
}

@inline(__always)
private func cleared(_ color: SIMD4<Float>, _ mask: SIMD4<UInt32>) -> SIMD4<Float> {
  let bits = unsafe unsafeBitCast(color, to: SIMD4<UInt32>.self) & mask
  return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
}
