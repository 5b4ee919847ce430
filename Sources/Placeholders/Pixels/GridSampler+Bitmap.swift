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
    var colors = points(width: width, height: height)
    let alphas = areaAlphas(width: width, height: height)
    for index in alphas.indices {
      colors[index] = SIMD4(straight(colors[index].xyz, alphas[index]), 0)
    }
    return (colors, alphas)
  }

  /// The mean alpha of each area; empty if all pixels are opaque.
  private func areaAlphas(width: Int, height: Int) -> [Float] {
    guard !grid.isOpaque else { return [] }
    let planes = PixelGrid(
      columns: grid.columns, rows: grid.rows, cells: grid.alphas.map { SIMD3(repeating: $0) })
    return planes.areaMeans(width: width, height: height).map { $0.x }
  }

  /// The color that is seen over the background with this alpha.
  private func straight(_ color: SIMD3<Float>, _ alpha: Float) -> SIMD3<Float> {
    alpha > 0 ? (color - grid.background * (1 - alpha)) / alpha : .zero
  }
}
