extension GridSampler {
  /// Draws the image small, as ``PixelGrid/bitmap(width:height:)`` does.
  func bitmap(width: Int, height: Int) -> Bitmap {
    let (colors, alphas) = straightPoints(width: width, height: height)
    let samples = SRGBEncoder.shared.samples(ofLinear: colors)
    let alphaSamples = alphas.map { UInt8(max(0, min(1, $0)) * 255 + 0.5) }
    return Bitmap(
      width: width, height: height, samples: samples,
      alphas: alphaSamples.contains { $0 < 255 } ? alphaSamples : [])
  }

  /// Draws the image so small that its long side has some pixels, and the other as its shape asks for.
  package func bitmap(longSide: Int) -> Bitmap {
    let whole = max(grid.sourceWidth, grid.sourceHeight)
    func scaled(_ side: Int) -> Int {
      max(1, (side * longSide * 2 + whole) / (whole * 2))
    }
    return bitmap(width: scaled(grid.sourceWidth), height: scaled(grid.sourceHeight))
  }

  /// The light of equal areas free of the background, and their alphas if not all pixels are opaque; the
  /// fourth lanes mean nothing.
  func straightPoints(width: Int, height: Int) -> (colors: [SIMD4<Float>], alphas: [Float]) {
    guard !grid.isOpaque else { return (points(width: width, height: height), []) }
    // The rounding errors of sums would be noise, once they are divided by a small alpha.
    let lights = means(of: grid.premultiplied, width: width, height: height)
    let alphas = means(of: grid.alphas.map { SIMD3(repeating: $0) }, width: width, height: height)
      .map(\.x)
    let colors = zip(lights, alphas).map { light, alpha in
      SIMD4(alpha > 0 ? light / alpha : .zero, 0)
    }
    return (colors, alphas)
  }

  /// The means of equal areas of other values of the same cells.
  private func means(of cells: [SIMD3<Float>], width: Int, height: Int) -> [SIMD3<Float>] {
    PixelGrid(columns: grid.columns, rows: grid.rows, cells: cells)
      .areaMeans(width: width, height: height)
  }
}
