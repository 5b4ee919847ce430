/// Sums decoded rows up into the cells of a grid.
///
/// Sums are integers, so neither the order of rows nor the machine changes a result.
package struct GridAccumulator {
  private let columns: GridAxis
  private let rows: GridAxis
  private let layout: SampleLayout
  private let light: [UInt64]
  private let cellOfColumn: [Int]
  private let cellOfRow: [Int]

  /// Red, green and blue light, and alpha, of each cell; light is weighted by alpha if there is any.
  private var sums: [SIMD4<UInt64>]
  private var pixelCounts: [Int]

  /// Prepares empty cells for rows of one layout, which is not CMYK.
  package init(columns: GridAxis, rows: GridAxis, layout: SampleLayout, curves: TransferCurves) {
    precondition(layout != .cmyk, "ink is turned into light first")
    self.columns = columns
    self.rows = rows
    self.layout = layout
    light = curves.light
    cellOfColumn = columns.cellOfIndex
    cellOfRow = rows.cellOfIndex
    sums = Array(repeating: .zero, count: columns.count * rows.count)
    pixelCounts = Array(repeating: 0, count: columns.count * rows.count)
  }

  /// Adds a whole row.
  ///
  /// - Complexity: O(pixels), with three table look-ups each.
  package mutating func add(_ row: [UInt8], y: Int) {
    precondition(row.count >= cellOfColumn.count * layout.count, "the row is too short")
    let firstCell = cellOfRow[y] * columns.count
    // Checked once here, and not for each of some millions of samples.
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        for column in columns.extents.indices {
          let pixels = columns.bounds[column]..<columns.bounds[column + 1]
          unsafe sums[firstCell + column] &+= sum(of: row, pixels, light)
          pixelCounts[firstCell + column] &+= pixels.count
        }
      }
    }
  }

  /// Adds every `step`th pixel of a row, as a pass of an interlaced image brings them.
  package mutating func add(_ row: [UInt8], y: Int, firstX: Int, step: Int, count: Int) {
    precondition(row.count >= count * layout.count, "the row is too short")
    let firstCell = cellOfRow[y] * columns.count
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        for index in 0..<count {
          let cell = firstCell + cellOfColumn[firstX + index * step]
          unsafe sums[cell] &+= sum(of: row, index..<index + 1, light)
          pixelCounts[cell] &+= 1
        }
      }
    }
  }

  /// The light of some pixels of a row, and their alpha.
  @inline(__always)
  private func sum(
    of row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    switch layout {
    case .gray: unsafe sumGray(row, pixels, light)
    case .grayAlpha: unsafe sumGrayAlpha(row, pixels, light)
    case .rgb, .cmyk: unsafe sumRGB(row, pixels, light)
    case .rgba: unsafe sumRGBA(row, pixels, light)
    }
  }

  @inline(__always)
  private func sumGray(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var sum: UInt64 = 0
    for pixel in pixels { unsafe sum &+= light[Int(row[pixel])] }
    return SIMD4(sum, sum, sum, 0)
  }

  @inline(__always)
  private func sumGrayAlpha(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var sum: UInt64 = 0
    var alphas: UInt64 = 0
    for pixel in pixels {
      let alpha = unsafe UInt64(row[pixel &* 2 &+ 1])
      unsafe sum &+= alpha &* light[Int(row[pixel &* 2])]
      alphas &+= alpha
    }
    return SIMD4(sum, sum, sum, alphas)
  }

  @inline(__always)
  private func sumRGB(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var sample = pixels.lowerBound &* 3
    let end = pixels.upperBound &* 3
    while sample < end {
      unsafe red &+= light[Int(row[sample])]
      unsafe green &+= light[256 &+ Int(row[sample &+ 1])]
      unsafe blue &+= light[512 &+ Int(row[sample &+ 2])]
      sample &+= 3
    }
    return SIMD4(red, green, blue, 0)
  }

  @inline(__always)
  private func sumRGBA(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var alphas: UInt64 = 0
    var sample = pixels.lowerBound &* 4
    let end = pixels.upperBound &* 4
    while sample < end {
      let alpha = unsafe UInt64(row[sample &+ 3])
      unsafe red &+= alpha &* light[Int(row[sample])]
      unsafe green &+= alpha &* light[256 &+ Int(row[sample &+ 1])]
      unsafe blue &+= alpha &* light[512 &+ Int(row[sample &+ 2])]
      alphas &+= alpha
      sample &+= 4
    }
    return SIMD4(red, green, blue, alphas)
  }

  /// The grid of all that was added, in linear sRGB over a background.
  ///
  /// Cells without a pixel, which a damaged image leaves, get the mean of the others.
  ///
  /// - Returns: Nil if there was no row at all.
  package func grid(matrix: ColorMatrix, background: SRGBColor) -> PixelGrid? {
    let matrix = matrix == .identity ? nil : matrix
    let background = background.linear
    var cells = pixelCounts.indices.map { color(of: $0, matrix: matrix, background: background) }
    let unknown = pixelCounts.indices.filter { pixelCounts[$0] == 0 }
    guard unknown.count < cells.count else { return nil }
    if !unknown.isEmpty {
      let mean = cells.reduce(.zero, +) / Float(cells.count - unknown.count)
      for cell in unknown { cells[cell] = mean }
    }
    return PixelGrid(columns: columns.extents, rows: rows.extents, cells: cells)
  }

  /// The color of a cell; black if it has no pixel.
  private func color(
    of cell: Int, matrix: ColorMatrix?, background: SIMD3<Float>
  ) -> SIMD3<Float> {
    guard pixelCounts[cell] > 0 else { return .zero }
    let pixelCount = Double(pixelCounts[cell])
    let sum = SIMD4<Double>(
      Double(sums[cell].x), Double(sums[cell].y), Double(sums[cell].z), Double(sums[cell].w))
    let weight = layout.hasAlpha ? sum.w : pixelCount
    guard weight > 0 else { return background }
    let unit = weight * TransferCurves.unit
    let light = SIMD3(Float(sum.x / unit), Float(sum.y / unit), Float(sum.z / unit))
    let color = matrix?(light) ?? light
    guard layout.hasAlpha else { return color }
    let alpha = Float(weight / (pixelCount * 255))
    return color * alpha + background * (1 - alpha)
  }
}
