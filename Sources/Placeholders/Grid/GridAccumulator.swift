/// Sums decoded rows into the cells of a grid.
///
/// Sums are integers, so results depend neither on the order of rows nor on the machine.
package struct GridAccumulator {
  private let columns: GridAxis
  private let rows: GridAxis
  private let layout: SampleLayout
  private let light: [UInt64]
  private let matrix: ColorMatrix?
  private let background: SIMD4<Float>
  private let blending: Blending?

  /// The light of each possible sample value, if each cell is one pixel; otherwise empty.
  private let cellLight: [Float]

  /// The index of the next row; nil once rows arrive in parts or out of order.
  private var nextRow: Int? = 0

  /// The light of each cell in the complete rows of cells; the fourth lane is zero.
  private var cells: [SIMD4<Float>] = []

  /// The light of ``cells`` without the background, multiplied by alpha; the fourth lane is alpha.
  ///
  /// Empty without alpha.
  private var premultiplied: [SIMD4<Float>] = []

  /// Whether all pixels of ``cells`` are opaque.
  private var isOpaque = true

  /// The sums of red, green and blue light, weighted by alpha if present, and of alpha.
  ///
  /// Without alpha, the fourth lane is the number of pixels.
  ///
  /// The sums cover the rows of cells after the complete ones, down to the last one with pixels. While complete rows
  /// arrive from top to bottom, that is a single row of cells.
  private var sums: [SIMD4<UInt64>] = []

  /// The sums of the shifts (see ``Blending``), for the same cells as ``sums``; empty without alpha.
  private var shifts: [SIMD3<Int64>] = []

  /// The number of pixels of each cell in ``sums``; empty without alpha.
  private var pixelCounts: [Int] = []

  /// Scratch memory for a row of cells, allocated once.
  private var colors: [SIMD4<Float>]

  /// The positions of the pixels in the last row added.
  private var positions: (firstX: Int, step: Int, count: Int)

  /// The index, among the pixels at these positions, of the first pixel of each cell, then the number of pixels.
  private var indices: [Int]

  /// The columns of cells that contain these pixels.
  private var filled: Range<Int>

  /// Creates an accumulator without rows, for any layout except CMYK.
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
    let hasPixelCells = columns.hasPixelCells && rows.hasPixelCells
    cellLight = hasPixelCells ? light.map { Self.mean($0, of: 1) } : []
    colors = Array(repeating: .zero, count: columns.count)
    indices = columns.bounds
    filled = 0..<columns.count
    positions = (0, 1, columns.bounds[columns.count])
    cells.reserveCapacity(columns.count * rows.count)
  }

  /// Adds pixels of a row, by default all of them.
  ///
  /// The first pixel is in column `firstX`, and each other pixel is `step` columns after the previous one; the step
  /// exceeds 1 in a pass of an interlaced image. The rest of the row is transparent or added by other calls.
  /// - Complexity: O(pixels), with three table lookups per pixel.
  package mutating func add(
    _ row: [UInt8], y: Int, firstX: Int = 0, step: Int = 1, count: Int? = nil,
    isTransparentElsewhere: Bool = false
  ) {
    let width = columns.bounds[columns.count]
    let count = count ?? width
    precondition(row.count >= count * layout.count, "the row is too short")
    precondition(firstX >= 0 && firstX + (count - 1) * step < width, "the row is too long")
    let isComplete = count == width && step == 1
    let isNext = y == nextRow && (isComplete || isTransparentElsewhere)
    nextRow = isNext ? y + 1 : nil
    if isNext && isComplete && !cellLight.isEmpty { return addCells(row) }
    let firstCell = (rows.cell(of: y) - completeRowCount) * columns.count
    // The loop below does not check its indices.
    precondition(
      (0..<rows.bounds[rows.count]).contains(y) && firstCell >= 0,
      "the row is out of range or complete")
    extendSums(to: firstCell + columns.count)
    if positions != (firstX, step, count) {
      positions = (firstX, step, count)
      indices = columns.bounds.map { min(count, max(0, ($0 - firstX + step - 1) / step)) }
      let last = firstX + (count - 1) * step
      filled = count == 0 ? 0..<0 : columns.cell(of: firstX)..<columns.cell(of: last) + 1
    }
    let cellColumns = isTransparentElsewhere ? 0..<columns.count : filled
    let (bounds, layout, blending) = (columns.bounds, layout, blending)
    unsafe row.withUnsafeBufferPointer { row in
      unsafe light.withUnsafeBufferPointer { light in
        unsafe indices.withUnsafeBufferPointer { indices in
          unsafe sums.withUnsafeMutableBufferPointer { sums in
            for column in cellColumns {
              let pixels = unsafe Range(uncheckedBounds: (indices[column], indices[column &+ 1]))
              let sum = unsafe Self.sum(of: row, pixels, layout, light)
              let cell = firstCell &+ column
              unsafe sums[cell] &+= sum
              guard let blending else { continue }
              pixelCounts[cell] &+=
                isTransparentElsewhere ? bounds[column &+ 1] &- bounds[column] : pixels.count
              // The shift is zero if the pixels are all transparent or all opaque.
              if sum.w > 0 && sum.w < UInt64(pixels.count) &* 255 {
                unsafe shifts[cell] &+= blending.shift(of: row, pixels, layout)
              }
            }
          }
        }
      }
    }
    if nextRow == rows.bounds[completeRowCount + 1] { completeCells() }
  }

  /// Adds a row of one-pixel cells.
  private mutating func addCells(_ row: [UInt8]) {
    let (layout, matrix) = (layout, matrix)
    unsafe row.withUnsafeBufferPointer { row in
      unsafe cellLight.withUnsafeBufferPointer { light in
        unsafe colors.withUnsafeMutableBufferPointer { colors in
          for pixel in colors.indices {
            let light = unsafe Self.light(of: row, pixel, layout, light)
            unsafe colors[pixel] = matrix?(light) ?? light
          }
        }
      }
      guard let blending else {
        cells += colors
        return
      }
      for (pixel, color) in colors.enumerated() {
        let alpha = unsafe row[(pixel &+ 1) &* layout.count &- 1]
        switch alpha {
        case 0: cells.append(background)
        case 255: cells.append(color)
        default: cells.append(unsafe blending.light(of: row, pixel, layout, alpha: alpha))
        }
        premultiplied.append(SIMD4(color.xyz, 1) * (Float(alpha) / 255))
        isOpaque = isOpaque && alpha == 255
      }
    }
  }

  private var completeRowCount: Int { cells.count / columns.count }

  private mutating func extendSums(to count: Int) {
    let missingCount = count - sums.count
    guard missingCount > 0 else { return }
    sums += repeatElement(.zero, count: missingCount)
    guard layout.hasAlpha else { return }
    shifts += repeatElement(.zero, count: missingCount)
    pixelCounts += repeatElement(0, count: missingCount)
  }

  private func pixelCount(of cell: Int) -> Int {
    layout.hasAlpha ? pixelCounts[cell] : Int(sums[cell].w)
  }

  /// Converts the sums to the light of complete cells.
  private mutating func completeCells() {
    let colors = sums.indices.map { color(of: $0) }
    cells += colors
    if layout.hasAlpha {
      isOpaque =
        isOpaque && sums.indices.allSatisfy { sums[$0].w == UInt64(pixelCounts[$0]) * 255 }
      let light = sums.indices.map { premultipliedLight(of: $0, color: colors[$0]) }
      premultiplied += light
    }
    sums.removeAll(keepingCapacity: true)
    shifts.removeAll(keepingCapacity: true)
    pixelCounts.removeAll(keepingCapacity: true)
  }

  /// Completes the grid.
  ///
  /// Cells without pixels, as in a damaged image, become the mean of the other cells. The result is nil if no pixel was
  /// added.
  package mutating func finish(with texture: GridTexture? = nil) -> PixelGrid? {
    let (first, cellCount) = (cells.count, columns.count * rows.count)
    extendSums(to: cellCount - first)
    let emptyCells = sums.indices.filter { pixelCount(of: $0) == 0 }.map { first + $0 }
    guard emptyCells.count < cellCount else { return nil }
    completeCells()
    if isOpaque { premultiplied = [] }
    Self.setToMean(emptyCells, of: &cells)
    if !isOpaque { Self.setToMean(emptyCells, of: &premultiplied) }
    texture?.compensate(&cells)
    return PixelGrid(
      columnBounds: columns.sourceBounds, rowBounds: rows.sourceBounds, light: cells,
      premultiplied: premultiplied)
  }

  /// Sets empty cells, which are zero, to the mean of the other cells.
  private static func setToMean(_ emptyCells: [Int], of cells: inout [SIMD4<Float>]) {
    guard !emptyCells.isEmpty else { return }
    let mean = cells.reduce(.zero, +) / Float(cells.count - emptyCells.count)
    for cell in emptyCells { cells[cell] = mean }
  }

  /// Returns the mean color of a cell over the background; black if the cell has no pixels.
  @inline(__always)
  private func color(of cell: Int) -> SIMD4<Float> {
    let (sum, pixelCount) = (sums[cell], pixelCount(of: cell))
    guard pixelCount > 0 else { return .zero }
    guard layout.hasAlpha else {
      let light = SIMD4(
        Self.mean(sum.x, of: pixelCount), Self.mean(sum.y, of: pixelCount),
        Self.mean(sum.z, of: pixelCount), 0)
      return matrix?(light) ?? light
    }
    guard sum.w > 0 else { return background }
    let fullAlpha = Double(pixelCount) * 255
    let alpha = Float(Double(sum.w) / fullAlpha)
    let color = foregroundLight(of: sum) * alpha + background * (1 - alpha)
    guard shifts[cell] != .zero else { return color }
    let gain = SIMD3<Float>(SIMD3<Double>(shifts[cell]) / (fullAlpha * TransferCurves.unit))
    return clamped(color + SIMD4(gain, 0), to: .one)
  }

  /// Returns the mean light of a cell without the background, multiplied by alpha; the fourth lane is alpha.
  ///
  /// `color` is the mean color of the cell over the background.
  private func premultipliedLight(of cell: Int, color: SIMD4<Float>) -> SIMD4<Float> {
    let (sum, fullAlpha) = (sums[cell], UInt64(pixelCounts[cell]) * 255)
    guard sum.w > 0 else { return .zero }
    guard sum.w < fullAlpha else { return SIMD4(color.xyz, 1) }
    let alpha = Float(Double(sum.w) / Double(fullAlpha))
    return SIMD4((foregroundLight(of: sum) * alpha).xyz, alpha)
  }

  /// Returns the mean light without the background, weighted by alpha, whose sum must not be zero.
  private func foregroundLight(of sum: SIMD4<UInt64>) -> SIMD4<Float> {
    let unit = Double(sum.w) * TransferCurves.unit
    let light = SIMD4(
      Float(Double(sum.x) / unit), Float(Double(sum.y) / unit), Float(Double(sum.z) / unit), 0)
    return matrix?(light) ?? light
  }

  /// Returns the mean light of pixels without alpha.
  ///
  /// The sum is below 2^63, so it is converted as a signed integer, which is faster.
  @inline(__always)
  private static func mean(_ sum: UInt64, of pixelCount: Int) -> Float {
    Float(Double(Int64(bitPattern: sum)) / (Double(pixelCount) * TransferCurves.unit))
  }

  /// Returns the light of a pixel, not weighted by alpha; the fourth lane is zero.
  @inline(__always)
  static func light<Light: SIMDScalar & ExpressibleByIntegerLiteral>(
    of row: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ layout: SampleLayout,
    _ light: UnsafeBufferPointer<Light>
  ) -> SIMD4<Light> {
    let sample = pixel &* layout.count
    let red = unsafe light[Int(row[sample])]
    guard layout.count > 2 else { return SIMD4(red, red, red, 0) }
    return unsafe SIMD4(
      red, light[256 &+ Int(row[sample &+ 1])], light[512 &+ Int(row[sample &+ 2])], 0)
  }

  /// Returns the sums of a range of pixels in a row, as in ``sums``.
  @inline(__always)
  private static func sum(
    of row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ layout: SampleLayout,
    _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    // With constants, the compiler specializes the loop for each layout.
    switch layout {
    case .gray: unsafe sum(of: row, pixels, light, colorCount: 1, hasAlpha: false)
    case .grayAlpha: unsafe sum(of: row, pixels, light, colorCount: 1, hasAlpha: true)
    case .rgb, .cmyk: unsafe sum(of: row, pixels, light, colorCount: 3, hasAlpha: false)
    case .rgba: unsafe sum(of: row, pixels, light, colorCount: 3, hasAlpha: true)
    }
  }

  @inline(__always)
  private static func sum(
    of row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>,
    colorCount: Int, hasAlpha: Bool
  ) -> SIMD4<UInt64> {
    var (red, green, blue) = (UInt64(0), UInt64(0), UInt64(0))
    var weight = hasAlpha ? 0 : UInt64(pixels.count)
    let sampleCount = colorCount &+ (hasAlpha ? 1 : 0)
    var sample = pixels.lowerBound &* sampleCount
    let end = pixels.upperBound &* sampleCount
    while sample < end {
      let alpha = hasAlpha ? unsafe UInt64(row[sample &+ colorCount]) : 1
      unsafe red &+= alpha &* light[Int(row[sample])]
      if colorCount == 3 {
        unsafe green &+= alpha &* light[256 &+ Int(row[sample &+ 1])]
        unsafe blue &+= alpha &* light[512 &+ Int(row[sample &+ 2])]
      }
      if hasAlpha { weight &+= alpha }
      sample &+= sampleCount
    }
    return colorCount == 3 ? SIMD4(red, green, blue, weight) : SIMD4(red, red, red, weight)
  }
}
