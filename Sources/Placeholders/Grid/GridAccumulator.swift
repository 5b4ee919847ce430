/// Sums decoded rows into the cells of a grid.
///
/// Sums are integers, so results depend neither on the order of rows nor on the machine. While complete rows arrive
/// from top to bottom, only one row of cells needs sums. Otherwise, all incomplete cells need sums.
package struct GridAccumulator {
  private let columns: GridAxis
  private let rows: GridAxis
  private let layout: SampleLayout
  private let light: [UInt64]
  private let matrix: ColorMatrix?
  private let background: SIMD4<Float>
  private let blending: Blending?

  /// The index of the next row; nil once rows arrive in parts or out of order.
  private var nextRow: Int? = 0

  /// The light of each cell in the complete rows of cells; the fourth lane is zero.
  private var cells: [SIMD4<Float>] = []

  /// The light of each cell without the background, multiplied by alpha; the fourth lane is alpha.
  ///
  /// Empty while all cells are opaque.
  private var premultiplied: [SIMD4<Float>] = []
  private var isOpaque: Bool { premultiplied.isEmpty }

  /// The sums of red, green and blue light, weighted by alpha if present, and of alpha.
  ///
  /// There are four sums for each cell in the current row of cells, or for each incomplete cell if `nextRow` is nil.
  ///
  /// The first row of pixels in a row of cells overwrites the sums of the previous row of cells.
  private var sums: [UInt64]

  /// The sums of the shifts (see ``Blending``), for the same cells as ``sums``; empty without alpha.
  private var shifts: [SIMD3<Int64>] = []

  /// Scratch memory for a row of cells, allocated once.
  private var colors: [SIMD4<Float>]

  /// The light of each possible sample value, if each cell is one pixel; otherwise empty.
  private let cellLight: [Float]

  /// The number of pixels added to each incomplete cell; empty unless `nextRow` is nil.
  private var pixelCounts: [Int] = []
  /// The index of the column of cells for each decoded column; empty unless `nextRow` is nil.
  private var cellOfColumn: [Int] = []
  /// The index of the row of cells for each decoded row; empty unless `nextRow` is nil.
  private var cellOfRow: [Int] = []

  /// Creates an accumulator without rows, for any layout except CMYK.
  ///
  /// - Parameters:
  ///   - columns: The division of the decoded columns into cells.
  ///   - rows: The division of the decoded rows into cells.
  ///   - layout: The samples of each pixel in a row.
  ///   - curves: The linear light of each sample.
  ///   - matrix: The conversion from the image's linear light to linear sRGB.
  ///   - background: The color behind transparent pixels.
  package init(
    columns: GridAxis, rows: GridAxis, layout: SampleLayout, curves: TransferCurves,
    matrix: ColorMatrix, background: SRGBColor
  ) {
    precondition(layout != .cmyk, "CMYK rows must be converted first")
    // A pixel has 35 bits of light and 8 bits of alpha, which leaves 21 of 64 bits for the number of pixels.
    precondition(
      columns.maximumCellLength <= (1 << 21) / rows.maximumCellLength,
      "a cell must have at most 2^21 pixels")
    self.columns = columns
    self.rows = rows
    self.layout = layout
    light = curves.light
    self.matrix = matrix == .identity ? nil : matrix
    self.background = SIMD4(background.linear, 0)
    blending =
      layout.hasAlpha ? Blending(curves: curves, matrix: self.matrix, background: background) : nil
    sums = Array(repeating: 0, count: columns.count * 4)
    if layout.hasAlpha { shifts = Array(repeating: .zero, count: columns.count) }
    colors = Array(repeating: .zero, count: columns.count)
    let hasPixelCells = columns.hasPixelCells && rows.hasPixelCells
    cellLight = hasPixelCells ? light.map { Self.mean($0, of: 1) } : []
    cells.reserveCapacity(columns.count * rows.count)
  }

  /// Adds a complete row.
  ///
  /// - Complexity: O(pixels), with three table lookups per pixel.
  package mutating func add(_ row: [UInt8], y: Int) {
    precondition(row.count >= (columns.bounds.last ?? 0) * layout.count, "the row is too short")
    guard y == nextRow else {
      allowAnyOrder()
      let firstCell = (cellOfRow[y] - completeRowCount) * columns.count
      for column in 0..<columns.count {
        pixelCounts[firstCell + column] += columns.bounds[column + 1] - columns.bounds[column]
      }
      return add(row, firstCell: firstCell, isFirst: false)
    }
    nextRow = y + 1
    guard cellLight.isEmpty else { return addCells(row) }
    let cellRow = completeRowCount
    add(row, firstCell: 0, isFirst: y == rows.bounds[cellRow])
    if y + 1 == rows.bounds[cellRow + 1] { completeCells() }
  }

  /// Adds a row of one-pixel cells.
  private mutating func addCells(_ row: [UInt8]) {
    let layout = layout
    let matrix = matrix
    unsafe colors.withUnsafeMutableBufferPointer { colors in
      unsafe row.withUnsafeBufferPointer { row in
        unsafe cellLight.withUnsafeBufferPointer { light in
          for column in colors.indices {
            let color = unsafe Self.light(of: row, column, layout, light)
            unsafe colors[column] = matrix?(color) ?? color
          }
        }
      }
    }
    if let blending { blend(colors, row, blending) } else { cells += colors }
  }

  /// Adds a row of one-pixel cells with the given colors and the alpha of the pixels in `row`.
  private mutating func blend(_ colors: [SIMD4<Float>], _ row: [UInt8], _ blending: Blending) {
    let layout = layout
    let first = cells.count
    var isTransparent = false
    unsafe row.withUnsafeBufferPointer { row in
      for (column, color) in colors.enumerated() {
        let alpha = unsafe row[(column &+ 1) &* layout.count &- 1]
        isTransparent = isTransparent || alpha < 255
        switch alpha {
        case 0: cells.append(background)
        case 255: cells.append(color)
        default: cells.append(unsafe blending.light(of: row, column, layout, alpha: alpha))
        }
      }
      guard isTransparent || !isOpaque else { return }
      if isOpaque { premultiplied = cells[..<first].map { SIMD4($0.xyz, 1) } }
      for (column, color) in colors.enumerated() {
        let alpha = unsafe Float(row[(column &+ 1) &* layout.count &- 1]) / 255
        premultiplied.append(SIMD4(color.xyz, 1) * alpha)
      }
    }
  }

  private var completeRowCount: Int { cells.count / columns.count }

  private mutating func add(_ row: [UInt8], firstCell: Int, isFirst: Bool) {
    let (bounds, layout, blending) = (columns.bounds, layout, blending)
    // The callers check the bounds once per row.
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        unsafe bounds.withUnsafeBufferPointer { bounds in
          unsafe sums.withUnsafeMutableBufferPointer { sums in
            unsafe shifts.withUnsafeMutableBufferPointer { shifts in
              for column in 0..<bounds.count &- 1 {
                let pixels = unsafe Range(uncheckedBounds: (bounds[column], bounds[column &+ 1]))
                let sum = unsafe Self.sum(of: row, pixels, layout, light)
                let first = (firstCell &+ column) &* 4
                for channel in 0..<4 {
                  let before = unsafe isFirst ? 0 : sums[first &+ channel]
                  unsafe sums[first &+ channel] = before &+ sum[channel]
                }
                if let blending, Self.isPartlyTransparent(sum, pixels) {
                  unsafe shifts[firstCell &+ column] &+= blending.shift(of: row, pixels, layout)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Adds the next row, which is transparent outside a range of columns.
  ///
  /// `row` contains only the pixels in that range.
  ///
  /// - Complexity: O(columns in `range`).
  package mutating func add(_ row: [UInt8], y: Int, to range: Range<Int>) {
    precondition(layout.hasAlpha && y == nextRow, "expected the next row and a layout with alpha")
    precondition(row.count >= range.count * layout.count, "the row is too short")
    nextRow = y + 1
    let cellRow = completeRowCount
    if y == rows.bounds[cellRow] { sums = Array(repeating: 0, count: columns.count * 4) }
    let (bounds, layout) = (columns.bounds, layout)
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        for column in 0..<columns.count {
          let pixels = range.clamped(to: bounds[column]..<bounds[column + 1])
          guard !pixels.isEmpty else { continue }
          let indices = pixels.lowerBound - range.lowerBound..<pixels.upperBound - range.lowerBound
          let sum = unsafe Self.sum(of: row, indices, layout, light)
          for channel in 0..<4 { sums[column * 4 + channel] &+= sum[channel] }
          if let blending, Self.isPartlyTransparent(sum, indices) {
            shifts[column] &+= unsafe blending.shift(of: row, indices, layout)
          }
        }
      }
    }
    if y + 1 == rows.bounds[cellRow + 1] { completeCells() }
  }

  /// Adds `count` pixels at every `step`th column from `firstX` on, as in a pass of an interlaced image.
  package mutating func add(_ row: [UInt8], y: Int, firstX: Int, step: Int, count: Int) {
    precondition(row.count >= count * layout.count, "the row is too short")
    allowAnyOrder()
    let firstCell = (cellOfRow[y] - completeRowCount) * columns.count
    let layout = layout
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        for index in 0..<count {
          let cell = firstCell + cellOfColumn[firstX + index * step]
          let sum = unsafe Self.sum(of: row, index..<index + 1, layout, light)
          for channel in 0..<4 { sums[cell * 4 + channel] &+= sum[channel] }
          if let blending, Self.isPartlyTransparent(sum, index..<index + 1) {
            shifts[cell] &+= unsafe blending.shift(of: row, index..<index + 1, layout)
          }
          pixelCounts[cell] += 1
        }
      }
    }
  }

  /// Allocates sums for all incomplete cells, so that rows can arrive in parts and in any order.
  private mutating func allowAnyOrder() {
    guard let nextRow else { return }
    let rowCount = nextRow - rows.bounds[completeRowCount]
    let cellCount = columns.count * (rows.count - completeRowCount)
    if rowCount == 0 { sums.removeAll() }
    sums += Array(repeating: 0, count: cellCount * 4 - sums.count)
    if layout.hasAlpha {
      shifts += Array(repeating: .zero, count: cellCount - shifts.count)
    }
    pixelCounts = Array(repeating: 0, count: cellCount)
    for column in 0..<columns.count {
      pixelCounts[column] = rowCount * (columns.bounds[column + 1] - columns.bounds[column])
    }
    cellOfColumn = columns.cellOfIndex
    cellOfRow = rows.cellOfIndex
    self.nextRow = nil
  }

  /// Converts the sums to the light of complete cells, and resets the shifts.
  private mutating func completeCells() {
    let firstRow = rows.bounds[completeRowCount]
    let rowCount = nextRow.map { $0 - firstRow }
    for first in stride(from: 0, to: sums.count / 4, by: columns.count) {
      let colors = unsafe [SIMD4<Float>](unsafeUninitializedCapacity: columns.count) {
        colors, count in
        unsafe sums.withUnsafeBufferPointer { sums in
          unsafe columns.bounds.withUnsafeBufferPointer { bounds in
            for column in 0..<bounds.count &- 1 {
              let cell = first &+ column
              let width = unsafe bounds[column &+ 1] &- bounds[column]
              let pixelCount = rowCount.map { $0 &* width } ?? pixelCounts[cell]
              let sum = unsafe SIMD4(
                sums[cell &* 4], sums[cell &* 4 &+ 1], sums[cell &* 4 &+ 2], sums[cell &* 4 &+ 3])
              unsafe colors.initializeElement(
                at: column, to: color(of: cell, sum: sum, pixelCount: pixelCount))
            }
          }
        }
        count = columns.count
      }
      cells += colors
      if layout.hasAlpha { addPremultiplied(first..<first + columns.count, rowCount: rowCount) }
    }
    for cell in shifts.indices { shifts[cell] = .zero }
  }

  /// Adds the premultiplied light of completed cells, unless all cells so far are opaque.
  private mutating func addPremultiplied(_ range: Range<Int>, rowCount: Int?) {
    let complete = cells.count - range.count
    for (column, cell) in range.enumerated() {
      let width = columns.bounds[column + 1] - columns.bounds[column]
      let fullAlpha = UInt64(rowCount.map { $0 * width } ?? pixelCounts[cell]) * 255
      let sum = sums[cell * 4 + 3]
      guard sum != fullAlpha || !isOpaque else { continue }
      if isOpaque {
        premultiplied = cells[..<(complete + column)].map { SIMD4($0.xyz, 1) }
      }
      let alpha = fullAlpha > 0 ? Float(Double(sum) / Double(fullAlpha)) : 0
      let channels = SIMD4(sums[cell * 4], sums[cell * 4 + 1], sums[cell * 4 + 2], sum)
      let light = sum == 0 ? .zero : foregroundLight(of: channels) * alpha
      premultiplied.append(SIMD4(light.xyz, alpha))
    }
  }

  /// Returns the mean color of a cell over the background; black if the cell has no pixels.
  @inline(__always)
  private func color(of cell: Int, sum: SIMD4<UInt64>, pixelCount: Int) -> SIMD4<Float> {
    guard pixelCount > 0 else { return .zero }
    guard !layout.hasAlpha else {
      return blendedColor(sum: sum, shift: shifts[cell], pixelCount: pixelCount)
    }
    let light = SIMD4(
      Self.mean(sum.x, of: pixelCount), Self.mean(sum.y, of: pixelCount),
      Self.mean(sum.z, of: pixelCount), 0)
    return matrix?(light) ?? light
  }

  private func blendedColor(
    sum: SIMD4<UInt64>, shift: SIMD3<Int64>, pixelCount: Int
  ) -> SIMD4<Float> {
    guard sum.w > 0 else { return background }
    let fullAlpha = Double(pixelCount) * 255
    let alpha = Float(Double(sum.w) / fullAlpha)
    let color = foregroundLight(of: sum) * alpha + background * (1 - alpha)
    guard shift != .zero else { return color }
    let gain = SIMD3<Float>(SIMD3<Double>(shift) / (fullAlpha * TransferCurves.unit))
    return clamped(color + SIMD4(gain, 0), to: .one)
  }

  /// Returns the mean light without the background, weighted by alpha.
  ///
  /// - Precondition: The sum of alpha is not zero.
  private func foregroundLight(of sum: SIMD4<UInt64>) -> SIMD4<Float> {
    let unit = Double(sum.w) * TransferCurves.unit
    let light = SIMD4(
      Float(Double(sum.x) / unit), Float(Double(sum.y) / unit), Float(Double(sum.z) / unit), 0)
    return matrix?(light) ?? light
  }

  /// Returns whether the summed pixels are neither all transparent nor all opaque.
  @inline(__always)
  private static func isPartlyTransparent(_ sum: SIMD4<UInt64>, _ pixels: Range<Int>) -> Bool {
    sum.w > 0 && sum.w < UInt64(pixels.count) &* 255
  }

  /// Completes the grid.
  ///
  /// Cells without pixels, as in a damaged image, become the mean of the other cells.
  ///
  /// - Parameter texture: The estimate of the light lost by scaling, which is added to the cells; nil to add none.
  /// - Returns: The grid; nil if no row was added.
  package mutating func finish(with texture: GridTexture? = nil) -> PixelGrid? {
    let cellCount = columns.count * rows.count
    if nextRow != 0 && cells.count < cellCount { allowAnyOrder() }
    let first = cells.count
    let emptyCells = pixelCounts.indices.filter { pixelCounts[$0] == 0 }.map { first + $0 }
    guard nextRow != 0 && emptyCells.count < cellCount else { return nil }
    if first < cellCount { completeCells() }
    if !emptyCells.isEmpty {
      let mean = cells.reduce(.zero, +) / Float(cellCount - emptyCells.count)
      for cell in emptyCells { cells[cell] = mean }
      if !isOpaque {
        let mean = premultiplied.reduce(.zero, +) / Float(cellCount - emptyCells.count)
        for cell in emptyCells { premultiplied[cell] = mean }
      }
    }
    texture?.compensate(&cells)
    return PixelGrid(
      columns: columns.extents, rows: rows.extents, light: cells, premultiplied: premultiplied)
  }
}
