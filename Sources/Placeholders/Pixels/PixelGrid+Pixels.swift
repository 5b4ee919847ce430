extension PixelGrid {
  /// Averages pixels in memory, for images that something else has decoded.
  ///
  /// The grid is the one that the decoder of a PNG file with the same pixels gives.
  ///
  /// - Parameters:
  ///   - pixels: Rows from top to bottom, pixels from left to right; samples are sRGB.
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - format: The samples of a pixel.
  ///   - bytesPerRow: The distance between the beginnings of two rows; nil if rows follow one another.
  ///   - background: What shows through transparent pixels; blended in encoded sRGB, as in browsers.
  /// - Precondition: Both sides are positive, a row has room for its pixels, and there
  ///   are as many bytes as all rows take; the last one needs no padding. No cell of the grid has more than 2^21
  ///   pixels, as one of a single row of 270 million would.
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

  /// Averages pixels in memory, for images that something else has decoded.
  ///
  /// - Parameters:
  ///   - pixels: As for a span.
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - format: The samples of a pixel.
  ///   - bytesPerRow: The distance between the beginnings of two rows; nil if rows follow one another.
  ///   - background: What shows through transparent pixels.
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
