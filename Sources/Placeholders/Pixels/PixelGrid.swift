/// A small picture of an image in linear light, from which every placeholder is computed.
///
/// It has at most 128×128 cells; where the image is smaller, a cell is a pixel. Each cell is the
/// mean of the source pixels it covers, and knows which these are, so that what is computed from the
/// grid can be what would be computed from the image.
public struct PixelGrid: Sendable, Hashable {
  /// The source columns that each column of cells covers, from left to right without a gap.
  public let columns: [Range<Int>]

  /// The source rows that each row of cells covers, from top to bottom without a gap.
  public let rows: [Range<Int>]

  /// Linear sRGB in 0...1; row-major, top-left first: `columns.count * rows.count`.
  ///
  /// Transparent pixels are blended with the background one by one, in encoded sRGB as browsers blend them.
  public let cells: [SIMD3<Float>]

  /// The mean alpha of each cell, 0...1, in the order of ``cells``; empty if every pixel is opaque.
  public let alphas: [Float]

  /// The mean light of each cell without the background, times alpha; empty if every pixel is opaque.
  let premultiplied: [SIMD3<Float>]

  /// Takes cells in the order of ``cells``.
  package init(
    columns: [Range<Int>], rows: [Range<Int>], cells: [SIMD3<Float>], alphas: [Float] = [],
    premultiplied: [SIMD3<Float>] = []
  ) {
    precondition(cells.count == columns.count * rows.count, "a grid has a cell a column and row")
    precondition(alphas.isEmpty || alphas.count == cells.count, "a cell has at most one alpha")
    precondition(premultiplied.count == alphas.count, "a cell with alpha has its own light")
    self.columns = columns
    self.rows = rows
    self.cells = cells
    self.alphas = alphas
    self.premultiplied = premultiplied
  }

  /// Whether every pixel of the source image is opaque.
  public var isOpaque: Bool { alphas.isEmpty }

  /// The width of the source image in pixels.
  public var sourceWidth: Int { columns.last?.upperBound ?? 0 }

  /// The height of the source image in pixels.
  public var sourceHeight: Int { rows.last?.upperBound ?? 0 }

  /// Whether each cell is one pixel of the source image.
  var hasPixelCells: Bool { sourceWidth * sourceHeight == cells.count }

  /// Whether all cells have the same color.
  var isFlat: Bool { cells.allSatisfy { $0 == cells[0] } }

  /// The mean color of the image, in linear light.
  public var average: SIMD3<Float> {
    areaMeans(width: 1, height: 1)[0]
  }

  /// The mean color of the image, averaged in linear light.
  public var averageColor: SRGBColor { SRGBColor(linear: average) }

  /// Averages the image over a lattice of equal rectangles, in linear light.
  ///
  /// Cells that a rectangle's edge cuts count by the part that lies inside.
  ///
  /// - Parameters:
  ///   - width: Rectangles across.
  ///   - height: Rectangles down.
  /// - Returns: `width * height` colors, row-major, top-left first.
  /// - Precondition: Both are positive.
  /// - Complexity: O(cells + `width * height`).
  public func areaMeans(width: Int, height: Int) -> [SIMD3<Float>] {
    precondition(width > 0 && height > 0, "there is a rectangle")
    let columnOverlaps = Overlap.all(between: columns, andPartsCount: width)
    let rowOverlaps = Overlap.all(between: rows, andPartsCount: height)
    var means = Array(repeating: SIMD4<Float>.zero, count: width * height)
    var columnMeans = Array(repeating: SIMD4<Float>.zero, count: columns.count)
    for (index, rowOverlap) in rowOverlaps.enumerated() {
      addRow(rowOverlap.cell, times: rowOverlap.share, to: &columnMeans)
      let isLastOfPart =
        index + 1 == rowOverlaps.count || rowOverlaps[index + 1].part != rowOverlap.part
      guard isLastOfPart else { continue }
      for overlap in columnOverlaps {
        means[rowOverlap.part * width + overlap.part] += overlap.share * columnMeans[overlap.cell]
      }
      for column in columnMeans.indices { columnMeans[column] = .zero }
    }
    return means.map { SIMD3($0.x, $0.y, $0.z) }
  }

  private func addRow(_ row: Int, times share: Float, to sums: inout [SIMD4<Float>]) {
    unsafe cells.withFourLanes { cells in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        let first = row * sums.count
        for column in 0..<sums.count { unsafe sums[column] += share * cells[first &+ column] }
      }
    }
  }

  /// Turns the image.
  ///
  /// - Parameter orientation: Where the first row and column are to be seen.
  /// - Returns: The grid of the upright image.
  /// - Complexity: O(cells).
  public func oriented(_ orientation: Orientation) -> PixelGrid {
    guard orientation != .up else { return self }
    let width = columns.count
    let uprightColumns = Self.extents(
      orientation.swapsAxes ? rows : columns, mirrored: orientation.mirrorsColumns)
    let uprightRows = Self.extents(
      orientation.swapsAxes ? columns : rows, mirrored: orientation.mirrorsRows)
    let sources = uprightRows.indices.flatMap { y in
      uprightColumns.indices.map { x in
        let column = orientation.mirrorsColumns ? uprightColumns.count - 1 - x : x
        let row = orientation.mirrorsRows ? uprightRows.count - 1 - y : y
        return orientation.swapsAxes ? column * width + row : row * width + column
      }
    }
    return PixelGrid(
      columns: uprightColumns, rows: uprightRows, cells: sources.map { cells[$0] },
      alphas: isOpaque ? [] : sources.map { alphas[$0] },
      premultiplied: isOpaque ? [] : sources.map { premultiplied[$0] })
  }

  private static func extents(_ extents: [Range<Int>], mirrored: Bool) -> [Range<Int>] {
    guard mirrored else { return extents }
    let length = extents.last?.upperBound ?? 0
    return extents.reversed().map { length - $0.upperBound..<length - $0.lowerBound }
  }
}
