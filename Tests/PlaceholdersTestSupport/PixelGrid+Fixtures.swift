package import PlaceholderEncoding

extension PixelGrid {
  /// Creates the grid of an image with a size in pixels and a linear color for each cell.
  package init(width: Int, height: Int, color: (_ column: Int, _ row: Int) -> SIMD3<Float>) {
    let columns = GridAxis(decodedLength: width, sourceLength: width, scale: 1).sourceBounds
    let rows = GridAxis(decodedLength: height, sourceLength: height, scale: 1).sourceBounds
    self.init(
      columnBounds: columns, rowBounds: rows,
      light: rows.dropLast().indices.flatMap { row in
        columns.dropLast().indices.map { SIMD4(color($0, row), 0) }
      })
  }

  /// A grid of random colors, the same in each run.
  package static func noise(width: Int, height: Int) -> PixelGrid {
    var random = LCG(seed: UInt64(width * 1_000_003 + height))
    return PixelGrid(width: width, height: height) { _, _ in random.color() }
  }

  /// The cells as pixels; each cell must be a single pixel.
  package var pixels: RGBABitmap {
    let cells = cells
    return RGBABitmap(width: columnCount, height: rowCount) { y in
      { x in SRGB.samples(ofLinear: cells[y * columnCount + x]) }
    }
  }
}
