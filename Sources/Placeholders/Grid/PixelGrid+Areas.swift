extension PixelGrid {
  /// The mean color of the image, in linear sRGB.
  public var average: SIMD3<Float> { points(width: 1, height: 1)[0].xyz }

  /// The mean color of the image, averaged in linear light.
  public var averageColor: SRGBColor { SRGBColor(linear: average) }

  /// Averages the image over a lattice of equal rectangles, in linear light.
  ///
  /// A cell that is only partly inside a rectangle is weighted by the fraction inside.
  ///
  /// - Parameters:
  ///   - width: The number of rectangles across.
  ///   - height: The number of rectangles down.
  /// - Returns: `width` · `height` colors in linear sRGB; row-major, from the top left.
  /// - Throws: ``ImageSizeError`` if `width` or `height` is not positive.
  /// - Complexity: O(cells + `width` · `height`).
  public func areaMeans(width: Int, height: Int) throws(ImageSizeError) -> [SIMD3<Float>] {
    try ImageSizeError.check(width: width, height: height)
    return points(width: width, height: height).map { $0.xyz }
  }

  /// Renders the image at a small size, averaged in linear light.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  /// - Returns: The bitmap; its samples are rounded to 8 bits and not blended with the background.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Complexity: O(cells + `width` · `height`).
  public func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    return scaled(width: width, height: height)
  }

  /// Renders the image at a size whose sides are known to be positive.
  func scaled(width: Int, height: Int) -> RGBABitmap {
    let (colors, alphas) = straightPoints(width: width, height: height)
    var pixels = SRGBEncoder.shared.pixels(ofLinear: colors)
    for (index, alpha) in alphas.enumerated() {
      pixels[index * 4 + 3] = UInt8(min(1, alpha) * 255 + 0.5)
    }
    return RGBABitmap(width: width, height: height, unchecked: pixels)
  }

  /// Renders the image with `longSide` pixels on its long side, preserving the aspect ratio.
  package func bitmap(longSide: Int) -> RGBABitmap {
    let length = max(sourceWidth, sourceHeight)
    func side(_ side: Int) -> Int {
      max(1, (side * longSide * 2 + length) / (length * 2))
    }
    return scaled(width: side(sourceWidth), height: side(sourceHeight))
  }

  static let thumbnailSide = 24

  /// The image averaged to 24×24 cells: the input of the CSS placeholders, the tiny JPEG and the palette.
  ///
  /// The thumbnail of a thumbnail is an equal thumbnail, so several placeholders can share one. A thumbnail is opaque.
  package var thumbnail: PixelGrid {
    let bounds = Array(0...Self.thumbnailSide)
    return PixelGrid(
      columnBounds: bounds, rowBounds: bounds,
      light: points(width: Self.thumbnailSide, height: Self.thumbnailSide))
  }

  /// The thumbnail of an opaque image; the image itself if it has transparent cells, because a thumbnail has no alpha.
  package var opaqueThumbnail: PixelGrid { isOpaque ? thumbnail : self }

  /// Returns the mean light of equal areas, row-major; the fourth lanes are zero.
  func points(width: Int, height: Int) -> [SIMD4<Float>] {
    means(of: light, width: width, height: height)
  }

  /// Returns the mean light of equal areas without the background, not multiplied by alpha, and the alpha of each area.
  ///
  /// `alphas` is empty if all pixels are opaque.
  func straightPoints(width: Int, height: Int) -> (colors: [SIMD4<Float>], alphas: [Float]) {
    guard !isOpaque else { return (points(width: width, height: height), []) }
    let means = means(of: premultiplied, width: width, height: height)
    return (
      means.map { $0.w > 0 ? SIMD4($0.xyz / $0.w, 0) : .zero }, means.map { $0.w }
    )
  }

  /// Returns the means of cell values over equal areas.
  ///
  /// Values are multiplied by their shares before they are added, which preserves the precision of small values.
  private func means(of cells: [SIMD4<Float>], width: Int, height: Int) -> [SIMD4<Float>] {
    precondition(width > 0 && height > 0, "both sides must be at least 1")
    if hasPixelCells && columnCount == width && rowCount == height { return cells }
    let columnShares = AxisShare.all(of: columnBounds, partCount: width)
    let rowShares = AxisShare.all(of: rowBounds, partCount: height)
    var means = Array(repeating: SIMD4<Float>.zero, count: width * height)
    var row = Array(repeating: SIMD4<Float>.zero, count: columnCount)
    for (index, rowShare) in rowShares.enumerated() {
      let first = rowShare.cell * row.count
      let share = SIMD4(repeating: rowShare.share)
      unsafe cells.withUnsafeBufferPointer { cells in
        unsafe row.withUnsafeMutableBufferPointer { row in
          for column in 0..<row.count { unsafe row[column] += share * cells[first &+ column] }
        }
      }
      guard index + 1 == rowShares.count || rowShares[index + 1].part != rowShare.part else {
        continue
      }
      unsafe means.withUnsafeMutableBufferPointer { means in
        unsafe row.withUnsafeBufferPointer { row in
          let first = rowShare.part * width
          for columnShare in columnShares {
            unsafe means[first &+ columnShare.part] += columnShare.share * row[columnShare.cell]
          }
        }
      }
      for column in row.indices { row[column] = .zero }
    }
    return means
  }
}
