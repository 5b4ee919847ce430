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
    let means = grid.areaMeans(width: width, height: height)
    let alphas = areaAlphas(width: width, height: height)
    return (zip(means, alphas).map { SIMD4(straight($0, $1), 0) }, alphas)
  }

  /// The mean alpha of each area.
  private func areaAlphas(width: Int, height: Int) -> [Float] {
    let planes = PixelGrid(
      columns: grid.columns, rows: grid.rows, cells: grid.alphas.map { SIMD3(repeating: $0) })
    return planes.areaMeans(width: width, height: height).map { $0.x }
  }

  /// The color that is seen over the background with this alpha.
  private func straight(_ color: SIMD3<Float>, _ alpha: Float) -> SIMD3<Float> {
    alpha > 0 ? (color - grid.background * (1 - alpha)) / alpha : .zero
  }
}
