/// How much neighboring pixels of a scaled image differ, which tells how much light its scaling has lost.
///
/// A codec averages a block of pixels as they are encoded, which comes out darker than their light's mean:
/// for a curve like `v^γ`, by `(γ-1) / 2γ · variance / mean` in terms of light. The variance within a block
/// is not known, but texture is much the same at one scale as at the next, so it goes with the differences
/// between neighboring blocks. Sums are of integers, so that a result is the same everywhere.
package struct GridTexture {
  /// Light is squared with 17 of its 35 bits less, so that the sums of 2^15 pixels are exact in 53 bits.
  ///
  /// A cell of the largest JPEG image has an eighth of that many.
  private static let droppedBits: UInt64 = 17

  /// The most light that is given back, as a share of what there is: more is an edge, not texture.
  private static let limit: Float = 0.3

  private let columns: GridAxis
  private let cellOfRow: [Int]
  private let channelCount: Int
  private let light: [Double]
  private let share: Float

  /// The squares of the differences of each pixel from its neighbors in all four directions, of the rows of
  /// cells that have got pixels.
  ///
  /// The fourth lane has no meaning; the compiler is at its best with four.
  private var sums: [SIMD4<Double>]

  /// How many rows of pixels each row of cells has got.
  private var rowCounts: [Int]

  /// The light of the last row, and the number of the one that comes after it.
  private var above: [SIMD4<Double>]
  private var nextRow: Int?

  /// Prepares for rows of gray or RGB, scaled by 1/2, 1/4 or 1/8; there is nothing to do for others.
  package init?(
    columns: GridAxis, rows: GridAxis, layout: SampleLayout, curves: TransferCurves, scale: Int
  ) {
    guard scale > 1, layout == .gray || layout == .rgb else { return nil }
    self.columns = columns
    cellOfRow = rows.cellOfIndex
    channelCount = layout.count
    light = curves.light.map { Double($0 >> Self.droppedBits) }
    // Found on 36 photographs of many sizes, where it takes two thirds of the error of their mean away.
    share = scale == 2 ? 0.2 : scale == 4 ? 0.4 : 0.55
    let cellCount = columns.count * rows.count
    sums = unsafe Array(unsafeUninitializedCapacity: cellCount) { _, count in count = cellCount }
    rowCounts = Array(repeating: 0, count: rows.count)
    above = Array(repeating: .zero, count: columns.bounds[columns.count])
  }

  /// Adds a whole row, which comes after the one above it.
  ///
  /// - Complexity: O(pixels), with three table look-ups each.
  package mutating func add(_ row: [UInt8], y: Int) {
    precondition(row.count >= above.count * channelCount, "the row is too short")
    let cellRow = cellOfRow[y]
    let cellRowAbove = nextRow == y ? cellOfRow[y - 1] : nil
    let isFirst = rowCounts[cellRow] == 0
    rowCounts[cellRow] += 1
    nextRow = y + 1
    if channelCount == 1 {
      unsafe add(row, cellRow: cellRow, cellRowAbove: cellRowAbove, isFirst: isFirst) {
        row, light, pixel in
        unsafe SIMD4(repeating: light[Int(row[pixel])])
      }
    } else {
      unsafe add(row, cellRow: cellRow, cellRowAbove: cellRowAbove, isFirst: isFirst) {
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
    _ row: [UInt8], cellRow: Int, cellRowAbove: Int?, isFirst: Bool,
    lightOf: (Samples, Light, Int) -> SIMD4<Double>
  ) {
    let bounds = columns.bounds
    // Checked before, and not for each sample.
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
                unsafe sums[cell] = isFirst ? sum : sums[cell] + sum
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

  /// Adds the light that the cells of a grid lack, where there is texture.
  ///
  /// - Parameter cells: The means of the same rows.
  package func compensate(_ cells: inout [SIMD3<Float>]) {
    let full = TransferCurves.unit / Double(1 << Self.droppedBits)
    let (share, columnCount) = (SIMD4(repeating: share), columns.count)
    precondition(cells.count == sums.count, "the grid has other cells")
    unsafe cells.withUnsafeMutableBytes { bytes in
      // The fourth lane, which a color leaves unused, is computed along.
      let cells = unsafe bytes.assumingMemoryBound(to: SIMD4<Float>.self)
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
