/// An image averaged to at most 128×128 cells in linear light: the input of every placeholder.
///
/// A cell is the mean of the source pixels that it covers. In an image of at most 128×128 pixels, each pixel is a cell.
/// ``columns`` and ``rows`` record the source pixels of each cell, which allows a placeholder to match that of the
/// full-size image.
public struct PixelGrid: Sendable, Hashable {
  /// The index of the first source column of each column of cells, then the width of the image.
  package let columnBounds: [Int]

  /// The index of the first source row of each row of cells, then the height of the image.
  package let rowBounds: [Int]

  /// The light of ``cells``, with zero in the fourth lane.
  let light: [SIMD4<Float>]

  /// The mean light of each cell without the background, multiplied by alpha; the fourth lane is the mean alpha.
  ///
  /// Empty if every pixel is opaque.
  let premultiplied: [SIMD4<Float>]

  /// Creates a grid from row-major cells.
  package init(
    columnBounds: [Int], rowBounds: [Int], light: [SIMD4<Float>],
    premultiplied: [SIMD4<Float>] = []
  ) {
    precondition(
      light.count == (columnBounds.count - 1) * (rowBounds.count - 1),
      "expected one cell per column and row")
    precondition(
      premultiplied.isEmpty || premultiplied.count == light.count, "expected one alpha per cell")
    self.columnBounds = columnBounds
    self.rowBounds = rowBounds
    self.light = light
    self.premultiplied = premultiplied
  }

  /// The source columns covered by each column of cells, from left to right without a gap.
  ///
  /// - Complexity: O(columns).
  public var columns: [Range<Int>] { zip(columnBounds, columnBounds.dropFirst()).map { $0..<$1 } }

  /// The source rows covered by each row of cells, from top to bottom without a gap.
  ///
  /// - Complexity: O(rows).
  public var rows: [Range<Int>] { zip(rowBounds, rowBounds.dropFirst()).map { $0..<$1 } }

  package var columnCount: Int { columnBounds.count - 1 }
  package var rowCount: Int { rowBounds.count - 1 }

  /// The mean color of each cell, in linear sRGB, 0...1; row-major, from the top left.
  ///
  /// There are `columns.count` · `rows.count` colors. Each transparent pixel is blended with the background before
  /// averaging, in encoded sRGB, as in browsers.
  ///
  /// - Complexity: O(cells); store the array in a variable before looping over it.
  public var cells: [SIMD3<Float>] { light.map { $0.xyz } }

  /// The mean alpha of each cell, 0...1, in the order of ``cells``; empty if every pixel is opaque.
  ///
  /// - Complexity: O(cells).
  public var alphas: [Float] { premultiplied.map { $0.w } }

  /// Whether every pixel of the source image is opaque.
  public var isOpaque: Bool { premultiplied.isEmpty }

  /// The width of the source image in pixels.
  public var sourceWidth: Int { columnBounds[columnCount] }

  /// The height of the source image in pixels.
  public var sourceHeight: Int { rowBounds[rowCount] }

  /// Whether each cell is one pixel of the source image.
  package var hasPixelCells: Bool { sourceWidth * sourceHeight == light.count }

  var isFlat: Bool { light.allSatisfy { $0 == light[0] } }

  /// Converts the grid of a stored image to that of the upright image.
  ///
  /// - Parameter orientation: The orientation of the stored image.
  /// - Returns: The grid of the upright image.
  /// - Complexity: O(cells).
  public func oriented(_ orientation: ImageOrientation) -> PixelGrid {
    guard orientation != .up else { return self }
    let swapsAxes = orientation.swapsAxes
    let (width, height) = swapsAxes ? (rowCount, columnCount) : (columnCount, rowCount)
    let sources = (0..<height).flatMap { y in
      (0..<width).map { x in
        let column = orientation.mirrorsColumns ? width - 1 - x : x
        let row = orientation.mirrorsRows ? height - 1 - y : y
        return swapsAxes ? column * columnCount + row : row * columnCount + column
      }
    }
    return PixelGrid(
      columnBounds: Self.bounds(
        swapsAxes ? rowBounds : columnBounds, mirrored: orientation.mirrorsColumns),
      rowBounds: Self.bounds(
        swapsAxes ? columnBounds : rowBounds, mirrored: orientation.mirrorsRows),
      light: sources.map { light[$0] },
      premultiplied: isOpaque ? [] : sources.map { premultiplied[$0] })
  }

  private static func bounds(_ bounds: [Int], mirrored: Bool) -> [Int] {
    mirrored ? bounds.reversed().map { bounds[bounds.count - 1] - $0 } : bounds
  }
}

extension PixelGrid: CustomStringConvertible {
  /// The number of cells and the size of the image, without the cells.
  public var description: String {
    "PixelGrid of \(columnCount)x\(rowCount) cells for \(sourceWidth)x\(sourceHeight) pixels"
  }
}

// MARK: - Pixels in memory

extension PixelGrid {
  /// The order and meaning of the 8-bit sRGB samples of a pixel in memory.
  @nonexhaustive
  public enum Format: Sendable, Hashable, CaseIterable {
    /// Gray.
    case gray
    /// Red, green, blue.
    case rgb
    /// Red, green, blue, alpha.
    case rgba
    /// Blue, green, red, alpha.
    case bgra
    /// Red, green, blue, alpha; the colors are multiplied by alpha.
    case premultipliedRGBA
    /// Blue, green, red, alpha; the colors are multiplied by alpha.
    case premultipliedBGRA

    /// The number of samples, and bytes, per pixel.
    public var sampleCount: Int { layout.count }

    fileprivate var layout: SampleLayout {
      switch self {
      case .gray: .gray
      case .rgb: .rgb
      case .rgba, .bgra, .premultipliedRGBA, .premultipliedBGRA: .rgba
      }
    }

    /// Converts pixels to the order of ``layout``, with colors that are not multiplied by alpha.
    fileprivate func normalize(_ row: inout [UInt8]) {
      let isPremultiplied = self == .premultipliedRGBA || self == .premultipliedBGRA
      let isSwapped = self == .bgra || self == .premultipliedBGRA
      guard isPremultiplied || isSwapped else { return }
      for first in stride(from: 0, to: row.count, by: 4) {
        if isSwapped { row.swapAt(first, first + 2) }
        guard isPremultiplied else { continue }
        let alpha = Int(row[first + 3])
        for index in first..<first + 3 {
          row[index] = alpha == 0 ? 0 : UInt8(min(255, (Int(row[index]) * 255 + alpha / 2) / alpha))
        }
      }
    }
  }

  /// Averages pixels in memory, such as those of an image that another library has decoded.
  ///
  /// The grid equals that of a PNG file with the same pixels.
  ///
  /// - Parameters:
  ///   - pixels: Rows from top to bottom, pixels from left to right; samples are sRGB.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - format: The order and meaning of the samples in a pixel.
  ///   - bytesPerRow: The number of bytes from the start of a row to the start of the next; nil if rows are not padded.
  ///   - background: The color behind transparent pixels; blended in encoded sRGB, as in browsers.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Precondition: `bytesPerRow` is at least `width` · `format.sampleCount`, and `pixels` contains all rows; the last
  ///   row needs no padding. A cell of the grid has at most 2^21 pixels; only extreme images exceed this limit, such as
  ///   a single row of 270 million pixels.
  /// - Complexity: O(`width` · `height`).
  public init(
    pixels: Span<UInt8>, width: Int, height: Int, format: Format, bytesPerRow: Int? = nil,
    background: SRGBColor = .white
  ) throws(ImageSizeError) {
    try ImageSizeError.check(width: width, height: height)
    let rowByteCount = width * format.sampleCount
    let bytesPerRow = bytesPerRow ?? rowByteCount
    precondition(bytesPerRow >= rowByteCount, "bytesPerRow must cover a row")
    precondition(
      pixels.count >= bytesPerRow * (height - 1) + rowByteCount, "pixels must contain all rows")
    self.init(
      averaging: pixels, width: width, height: height, format: format, bytesPerRow: bytesPerRow,
      background: background)
  }

  private init(
    averaging pixels: Span<UInt8>, width: Int, height: Int, format: Format, bytesPerRow: Int,
    background: SRGBColor
  ) {
    var accumulator = GridAccumulator(
      columns: GridAxis(decodedLength: width, sourceLength: width, scale: 1),
      rows: GridAxis(decodedLength: height, sourceLength: height, scale: 1),
      layout: format.layout, curves: .sRGB, matrix: .identity, background: background)
    var row = [UInt8](repeating: 0, count: width * format.sampleCount)
    for y in 0..<height {
      for index in row.indices { row[index] = pixels[y * bytesPerRow + index] }
      format.normalize(&row)
      accumulator.add(row, y: y)
    }
    guard let grid = accumulator.finish() else {
      preconditionFailure("the image has no rows")
    }
    self = grid
  }

  /// Averages pixels in memory, like
  /// ``init(pixels:width:height:format:bytesPerRow:background:)-(Span<UInt8>,_,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - pixels: Rows from top to bottom, pixels from left to right; samples are sRGB.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - format: The order and meaning of the samples in a pixel.
  ///   - bytesPerRow: The number of bytes from the start of a row to the start of the next; nil if rows are not padded.
  ///   - background: The color behind transparent pixels; blended in encoded sRGB, as in browsers.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Precondition: The same as for a span.
  /// - Complexity: O(`width` · `height`).
  public init(
    pixels: [UInt8], width: Int, height: Int, format: Format, bytesPerRow: Int? = nil,
    background: SRGBColor = .white
  ) throws(ImageSizeError) {
    let pixels = pixels[...]
    try self.init(
      pixels: pixels.span, width: width, height: height, format: format,
      bytesPerRow: bytesPerRow, background: background)
  }

  /// Averages the pixels of a bitmap; transparent pixels are blended with white.
  ///
  /// - Complexity: O(pixels).
  public init(_ bitmap: RGBABitmap) {
    let pixels = bitmap.pixels[...]
    self.init(
      averaging: pixels.span, width: bitmap.width, height: bitmap.height, format: .rgba,
      bytesPerRow: bitmap.width * 4, background: .white)
  }
}
