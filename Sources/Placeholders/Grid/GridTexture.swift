/// The differences between neighboring pixels of a scaled image, a measure of the light lost by scaling.
///
/// A codec averages a block of pixels as they are encoded, which comes out darker than their light's mean:
/// for a curve like `v^γ`, by `(γ-1) / 2γ · variance / mean` in terms of light. The variance within a block
/// is not known, but texture is much the same at one scale as at the next, so it goes with the differences
/// between neighboring blocks. Sums are of integers, so that a result is the same everywhere.
package struct GridTexture {
  /// Light is squared without 17 of its 35 bits, so that the sums of 2^15 pixels are exact in 53 bits.
  ///
  /// A cell of the largest JPEG image has an eighth of as many pixels.
  private static let droppedBits: UInt64 = 17

  /// The maximum compensation, as a share of the light of a cell: more is an edge, not texture.
  private static let limit: Float = 0.3

  private let columns: GridAxis
  private let cellOfRow: [Int]
  private let channelCount: Int
  private let light: [Double]
  private let share: Float

  /// The squared differences of each pixel from its neighbors in all four directions, summed by cell, down to
  /// the last row of cells with pixels.
  ///
  /// The fourth lane is zero.
  private var sums: [SIMD4<Double>] = []

  /// The sums of a row of cells without pixels.
  private let blankRow: [SIMD4<Double>]

  /// The number of pixel rows in each row of cells.
  private var rowCounts: [Int]

  /// The light of the last row, and the number of the row below it.
  private var above: [SIMD4<Double>]
  private var nextRow: Int?

  /// Prepares for rows of gray or RGB, scaled by 1/2, 1/4 or 1/8; nil for others, which lose no light.
  package init?(
    columns: GridAxis, rows: GridAxis, layout: SampleLayout, curves: TransferCurves, scale: Int
  ) {
    guard scale > 1, layout == .gray || layout == .rgb else { return nil }
    self.columns = columns
    cellOfRow = rows.cellOfIndex
    channelCount = layout.count
    light = curves.light.map { Double($0 >> Self.droppedBits) }
    // Found on 36 photographs of many sizes; removes two thirds of the error of their mean.
    share = scale == 2 ? 0.2 : scale == 4 ? 0.4 : 0.55
    sums.reserveCapacity(columns.count * rows.count)
    blankRow = Array(repeating: .zero, count: columns.count)
    rowCounts = Array(repeating: 0, count: rows.count)
    above = Array(repeating: .zero, count: columns.bounds[columns.count])
  }

  /// Adds a complete row, after the one above it.
  ///
  /// - Complexity: O(pixels), with three table look-ups each.
  package mutating func add(_ row: [UInt8], y: Int) {
    precondition(row.count >= above.count * channelCount, "the row is too short")
    let cellRow = cellOfRow[y]
    let cellRowAbove = nextRow == y ? cellOfRow[y - 1] : nil
    rowCounts[cellRow] += 1
    while sums.count <= cellRow * columns.count { sums += blankRow }
    nextRow = y + 1
    if channelCount == 1 {
      unsafe add(row, cellRow: cellRow, cellRowAbove: cellRowAbove) {
        row, light, pixel in
        let value = unsafe light[Int(row[pixel])]
        return SIMD4(value, value, value, 0)
      }
    } else {
      unsafe add(row, cellRow: cellRow, cellRowAbove: cellRowAbove) {
        row, light, pixel in
        let sample = pixel &* 3
        return unsafe SIMD4(
          light[Int(row[sample])], light[256 &+ Int(row[sample &+ 1])],
          light[512 &+ Int(row[sample &+ 2])], 0)
      }
    }
  }

  private typealias Samples = UnsafeBufferPointer<UInt8>
  private typealias Light = UnsafeBufferPointer<Double>

  /// Adds a row of pixels, whose light `lightOf` looks up.
  ///
  /// The row of cells above is nil if the row of pixels above has not come just before.
  @inline(__always)
  private mutating func add(
    _ row: [UInt8], cellRow: Int, cellRowAbove: Int?,
    lightOf: (Samples, Light, Int) -> SIMD4<Double>
  ) {
    let bounds = columns.bounds
    // The bounds are checked by the caller, once per row.
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        unsafe bounds.withUnsafeBufferPointer { bounds in
          unsafe above.withUnsafeMutableBufferPointer { above in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
              // The first pixel, and a row with none above it, is compared with itself: that adds nothing.
              if cellRowAbove == nil {
                for pixel in 0..<above.count { unsafe above[pixel] = lightOf(row, light, pixel) }
              }
              var left = unsafe lightOf(row, light, 0)
              var cellsToLeft = 0
              let cellsToAbove = (cellRow &- (cellRowAbove ?? cellRow)) &* (bounds.count &- 1)
              var cell = cellRow &* (bounds.count &- 1)
              var pixel = 0
              for column in 0..<bounds.count &- 1 {
                let end = unsafe bounds[column &+ 1]
                var value = unsafe lightOf(row, light, pixel)
                let first = Self.square(value - left)
                var down = unsafe Self.square(value - above[pixel])
                var across = SIMD4<Double>.zero
                unsafe above[pixel] = value
                left = value
                pixel &+= 1
                while pixel < end {
                  value = unsafe lightOf(row, light, pixel)
                  across += Self.square(value - left)
                  unsafe down += Self.square(value - above[pixel])
                  unsafe above[pixel] = value
                  left = value
                  pixel &+= 1
                }
                // Within a cell, a difference belongs to both of its pixels.
                let sum = across + across + first + down
                unsafe sums[cell] += sum
                unsafe sums[cell &- cellsToLeft] += first
                unsafe sums[cell &- cellsToAbove] += down
                cellsToLeft = 1
                cell &+= 1
              }
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func square(_ difference: SIMD4<Double>) -> SIMD4<Double> {
    difference * difference
  }

  /// Adds the light lost in textured cells.
  ///
  /// - Parameter cells: The means of the same rows.
  package func compensate(_ cells: inout [SIMD4<Float>]) {
    let full = TransferCurves.unit / Double(1 << Self.droppedBits)
    let (share, columnCount) = (SIMD4(repeating: share), columns.count)
    precondition(cells.count == rowCounts.count * columnCount, "the grid has other cells")
    unsafe cells.withUnsafeMutableBufferPointer { cells in
      unsafe sums.withUnsafeBufferPointer { sums in
        unsafe columns.bounds.withUnsafeBufferPointer { bounds in
          for row in rowCounts.indices where rowCounts[row] > 0 {
            let rowCount = rowCounts[row]
            for column in 0..<columnCount {
              let cell = row &* columnCount &+ column
              let pixelCount = unsafe rowCount &* (bounds[column &+ 1] &- bounds[column])
              // Half of the mean square of the differences to a neighbor, each with two on an axis.
              let unit = Double(8 &* pixelCount) * full * full
              let variance = unsafe SIMD4<Float>(sums[cell] / SIMD4(repeating: unit))
              let mean = unsafe cells[cell]
              let lost = clamped(share * variance / (mean + 0.0001), to: Self.limit * mean)
              unsafe cells[cell] = clamped(mean + lost, to: .one)
            }
          }
        }
      }
    }
  }
}
