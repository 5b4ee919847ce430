/// Sums up decoded rows in the cells of a grid.
///
/// Sums are integers, so that neither the order of rows nor the machine changes a result. Rows usually come
/// complete, from top to bottom; then the sums of a single row of cells are kept.
package struct GridAccumulator {
  private let columns: GridAxis
  private let rows: GridAxis
  private let layout: SampleLayout
  private let light: [UInt64]
  private let matrix: ColorMatrix?
  private let background: SIMD4<Float>
  private let blending: Blending?

  /// The next row; nil if rows come in any order.
  private var nextRow: Int? = 0

  /// The light of the complete rows of cells; the fourth lane is zero.
  private var cells: [SIMD4<Float>] = []

  /// Their light without the background times alpha, and alpha; empty while all of them are opaque.
  private var premultiplied: [SIMD4<Float>] = []
  private var isOpaque: Bool { premultiplied.isEmpty }

  /// Red, green and blue light, weighted by alpha if any, and alpha, of the next row of cells; of all
  /// incomplete rows if rows come in any order.
  ///
  /// The first row of pixels overwrites the sums of the previous row of cells.
  private var sums: [UInt64]

  /// The shifts of the same cells by ``Blending``; empty without alpha.
  private var shifts: [SIMD3<Int64>] = []

  /// A row of cells: memory that is allocated once.
  private var colors: [SIMD4<Float>]

  /// The light of each sample, where each pixel is a cell of its own; else empty.
  private let cellLight: [Float]

  /// If rows come in any order: the pixels of each of these cells, and the cell of each column and row.
  private var pixelCounts: [Int] = []
  private var cellOfColumn: [Int] = []
  private var cellOfRow: [Int] = []

  /// Prepares empty cells for rows of one layout, which is not CMYK.
  ///
  /// - Parameters:
  ///   - columns: The cells of columns.
  ///   - rows: The cells of rows.
  ///   - layout: The samples of a pixel.
  ///   - curves: The light of its samples.
  ///   - matrix: The conversion of that light to linear sRGB.
  ///   - background: The color behind transparent pixels.
  package init(
    columns: GridAxis, rows: GridAxis, layout: SampleLayout, curves: TransferCurves,
    matrix: ColorMatrix, background: SRGBColor
  ) {
    precondition(layout != .cmyk, "ink is turned into light first")
    // 35 bits of light, and 8 of alpha.
    precondition(
      columns.maximumCellLength <= (1 << 21) / rows.maximumCellLength,
      "a cell's sums hold 2^21 pixels")
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
    let hasPixelCells = columns.hasSingleCells && rows.hasSingleCells
    cellLight = hasPixelCells ? light.map { Self.mean($0, of: 1) } : []
    cells.reserveCapacity(columns.count * rows.count)
  }

  /// Adds a complete row.
  ///
  /// - Complexity: O(pixels), with three table look-ups each.
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

  /// Adds a row of cells that are one pixel each.
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

  /// Adds cells that are one pixel each, of the given colors and with the alpha of a row.
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
    // The bounds are checked above, once per row.
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
                if let blending, Self.isTransparent(sum, pixels) {
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
  /// - Complexity: O(columns in `range`).
  package mutating func add(_ row: [UInt8], y: Int, to range: Range<Int>) {
    precondition(layout.hasAlpha && y == nextRow, "transparent pixels come in whole rows")
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
          let places = pixels.lowerBound - range.lowerBound..<pixels.upperBound - range.lowerBound
          let sum = unsafe Self.sum(of: row, places, layout, light)
          for channel in 0..<4 { sums[column * 4 + channel] &+= sum[channel] }
          if let blending, Self.isTransparent(sum, places) {
            shifts[column] &+= unsafe blending.shift(of: row, places, layout)
          }
        }
      }
    }
    if y + 1 == rows.bounds[cellRow + 1] { completeCells() }
  }

  /// Adds every `step`th pixel of a row, from a pass of an interlaced image.
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
          if let blending, Self.isTransparent(sum, index..<index + 1) {
            shifts[cell] &+= unsafe blending.shift(of: row, index..<index + 1, layout)
          }
          pixelCounts[cell] += 1
        }
      }
    }
  }

  /// Prepares the incomplete cells for parts of rows and for rows in any order.
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

  /// Converts sums to colors.
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

  /// Adds the premultiplied light of cells that are complete, unless all pixels so far are opaque.
  private mutating func addPremultiplied(_ range: Range<Int>, rowCount: Int?) {
    let complete = cells.count - range.count
    for (column, cell) in range.enumerated() {
      let width = columns.bounds[column + 1] - columns.bounds[column]
      let whole = UInt64(rowCount.map { $0 * width } ?? pixelCounts[cell]) * 255
      let sum = sums[cell * 4 + 3]
      guard sum != whole || !isOpaque else { continue }
      if isOpaque {
        premultiplied = cells[..<(complete + column)].map { SIMD4($0.xyz, 1) }
      }
      let alpha = whole > 0 ? Float(Double(sum) / Double(whole)) : 0
      let channels = SIMD4(sums[cell * 4], sums[cell * 4 + 1], sums[cell * 4 + 2], sum)
      let light = sum == 0 ? .zero : ownLight(of: channels) * alpha
      premultiplied.append(SIMD4(light.xyz, alpha))
    }
  }

  /// The mean color of some pixels over the background; black if there are none.
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
    let whole = Double(pixelCount) * 255
    let alpha = Float(Double(sum.w) / whole)
    let color = ownLight(of: sum) * alpha + background * (1 - alpha)
    guard shift != .zero else { return color }
    let gain = SIMD3<Float>(SIMD3<Double>(shift) / (whole * TransferCurves.unit))
    return clamped(color + SIMD4(gain, 0), to: .one)
  }

  /// The mean light without the background, weighted by alpha, which is not zero.
  private func ownLight(of sum: SIMD4<UInt64>) -> SIMD4<Float> {
    let unit = Double(sum.w) * TransferCurves.unit
    let light = SIMD4(
      Float(Double(sum.x) / unit), Float(Double(sum.y) / unit), Float(Double(sum.z) / unit), 0)
    return matrix?(light) ?? light
  }

  /// Whether the sum of some pixels has an alpha between those of all transparent and all opaque ones.
  @inline(__always)
  private static func isTransparent(_ sum: SIMD4<UInt64>, _ pixels: Range<Int>) -> Bool {
    sum.w > 0 && sum.w < UInt64(pixels.count) &* 255
  }

  /// The grid of all rows, in linear sRGB over the background.
  ///
  /// Cells without a pixel, as in a damaged image, get the mean of the others.
  ///
  /// - Parameter texture: The measure of the light lost by scaling, if any.
  /// - Returns: Nil if no row was added.
  package mutating func finish(with texture: GridTexture? = nil) -> PixelGrid? {
    let cellCount = columns.count * rows.count
    if nextRow != 0 && cells.count < cellCount { allowAnyOrder() }
    let first = cells.count
    let unknown = pixelCounts.indices.filter { pixelCounts[$0] == 0 }.map { first + $0 }
    guard nextRow != 0 && unknown.count < cellCount else { return nil }
    if first < cellCount { completeCells() }
    if !unknown.isEmpty {
      let mean = cells.reduce(.zero, +) / Float(cellCount - unknown.count)
      for cell in unknown { cells[cell] = mean }
      if !isOpaque {
        let mean = premultiplied.reduce(.zero, +) / Float(cellCount - unknown.count)
        for cell in unknown { premultiplied[cell] = mean }
      }
    }
    texture?.compensate(&cells)
    return PixelGrid(
      columns: columns.extents, rows: rows.extents, light: cells, premultiplied: premultiplied)
  }
}
