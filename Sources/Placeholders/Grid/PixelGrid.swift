/// A small picture of an image in linear light, from which every placeholder is computed.
///
/// It has at most 128×128 cells. In a smaller image, each pixel has its own cell. A cell is the mean of the
/// source pixels it covers, and records their position, so that a placeholder can be the one of the full-size
/// image.
public struct PixelGrid: Sendable, Hashable {
  /// The source columns covered by each column of cells, from left to right without a gap.
  public let columns: [Range<Int>]

  /// The source rows covered by each row of cells, from top to bottom without a gap.
  public let rows: [Range<Int>]

  /// The light of ``cells``, with zero in the fourth lane.
  let light: [SIMD4<Float>]

  /// The mean light of each cell without the background, times alpha; the fourth lane is the mean alpha.
  ///
  /// Empty if every pixel is opaque.
  let premultiplied: [SIMD4<Float>]

  /// Creates a grid of row-major cells.
  init(
    columns: [Range<Int>], rows: [Range<Int>], light: [SIMD4<Float>],
    premultiplied: [SIMD4<Float>] = []
  ) {
    precondition(light.count == columns.count * rows.count, "a grid has a cell a column and row")
    precondition(
      premultiplied.isEmpty || premultiplied.count == light.count, "a cell has at most one alpha")
    self.columns = columns
    self.rows = rows
    self.light = light
    self.premultiplied = premultiplied
  }

  /// Creates an opaque grid in the order of ``cells``.
  package init(columns: [Range<Int>], rows: [Range<Int>], cells: [SIMD3<Float>]) {
    self.init(columns: columns, rows: rows, light: cells.map { SIMD4($0, 0) })
  }

  /// Linear sRGB in 0...1; row-major, top-left first: `columns.count * rows.count`.
  ///
  /// Transparent pixels are blended with the background one by one, in encoded sRGB as browsers blend them.
  ///
  /// - Complexity: O(cells); store the array before a loop over its elements.
  public var cells: [SIMD3<Float>] { light.map { $0.xyz } }

  /// The mean alpha of each cell, 0...1, in the order of ``cells``; empty if every pixel is opaque.
  ///
  /// - Complexity: O(cells).
  public var alphas: [Float] { premultiplied.map { $0.w } }

  /// Whether every pixel of the source image is opaque.
  public var isOpaque: Bool { premultiplied.isEmpty }

  /// The width of the source image in pixels.
  public var sourceWidth: Int { columns.last?.upperBound ?? 0 }

  /// The height of the source image in pixels.
  public var sourceHeight: Int { rows.last?.upperBound ?? 0 }

  /// Whether each cell is one pixel of the source image.
  var hasPixelCells: Bool { sourceWidth * sourceHeight == light.count }

  /// Whether all cells have the same color.
  var isFlat: Bool { light.allSatisfy { $0 == light[0] } }

  /// Turns the image.
  ///
  /// - Parameter orientation: The position of the first row and column in the upright image.
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
      columns: uprightColumns, rows: uprightRows, light: sources.map { light[$0] },
      premultiplied: isOpaque ? [] : sources.map { premultiplied[$0] })
  }

  private static func extents(_ extents: [Range<Int>], mirrored: Bool) -> [Range<Int>] {
    guard mirrored else { return extents }
    let length = extents.last?.upperBound ?? 0
    return extents.reversed().map { length - $0.upperBound..<length - $0.lowerBound }
  }
}

// MARK: - Pixels in memory

/// The 8-bit sRGB samples of a pixel in memory.
public enum PixelFormat: Sendable, Hashable {
  /// Red, green, blue.
  case rgb

  /// Red, green, blue and alpha; the colors are not multiplied by alpha.
  case rgba

  /// Samples a pixel, and bytes.
  public var sampleCount: Int { layout.count }

  fileprivate var layout: SampleLayout {
    switch self {
    case .rgb: .rgb
    case .rgba: .rgba
    }
  }
}

extension PixelGrid {
  /// Averages pixels in memory, for images decoded elsewhere.
  ///
  /// The grid equals that of a PNG file with the same pixels.
  ///
  /// - Parameters:
  ///   - pixels: Rows from top to bottom, pixels from left to right; samples are sRGB.
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - format: The samples of a pixel.
  ///   - bytesPerRow: The distance between the beginnings of two rows; nil if rows follow one another.
  ///   - background: The color behind transparent pixels; blended in encoded sRGB, as in browsers.
  /// - Precondition: Both sides are positive, `bytesPerRow` has room for a row, and `pixels` contains all
  ///   rows; the last one needs no padding. No cell of the grid has more than 2^21 pixels, as one of a single
  ///   row of 270 million would.
  /// - Complexity: O(`width` · `height`).
  public init(
    pixels: Span<UInt8>, width: Int, height: Int, format: PixelFormat, bytesPerRow: Int? = nil,
    background: SRGBColor = .white
  ) {
    precondition(width > 0 && height > 0, "an image has pixels")
    let rowByteCount = width * format.sampleCount
    let bytesPerRow = bytesPerRow ?? rowByteCount
    precondition(bytesPerRow >= rowByteCount, "a row has room for its pixels")
    precondition(
      pixels.count >= bytesPerRow * (height - 1) + rowByteCount, "there are bytes for all rows")
    var accumulator = GridAccumulator(
      columns: GridAxis(decodedLength: width, sourceLength: width, scale: 1),
      rows: GridAxis(decodedLength: height, sourceLength: height, scale: 1),
      layout: format.layout, curves: .sRGB, matrix: .identity, background: background)
    var row = [UInt8](repeating: 0, count: rowByteCount)
    for y in 0..<height {
      for index in row.indices { row[index] = pixels[y * bytesPerRow + index] }
      accumulator.add(row, y: y)
    }
    guard let grid = accumulator.finish() else {
      preconditionFailure("every cell has a pixel")
    }
    self = grid
  }

  /// Averages pixels in memory, for images decoded elsewhere.
  ///
  /// - Parameters:
  ///   - pixels: As for a span.
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - format: The samples of a pixel.
  ///   - bytesPerRow: The distance between the beginnings of two rows; nil if rows follow one another.
  ///   - background: The color behind transparent pixels.
  /// - Precondition: As for a span.
  /// - Complexity: O(`width` · `height`).
  public init(
    pixels: [UInt8], width: Int, height: Int, format: PixelFormat, bytesPerRow: Int? = nil,
    background: SRGBColor = .white
  ) {
    let pixels = pixels[...]
    self.init(
      pixels: pixels.span, width: width, height: height, format: format,
      bytesPerRow: bytesPerRow, background: background)
  }

  /// Averages the pixels of a bitmap, over white where it is transparent.
  ///
  /// - Parameter bitmap: sRGB samples.
  /// - Complexity: O(pixels).
  public init(_ bitmap: Bitmap) {
    self.init(
      pixels: bitmap.interleaved, width: bitmap.width, height: bitmap.height,
      format: bitmap.alphas.isEmpty ? .rgb : .rgba)
  }
}
