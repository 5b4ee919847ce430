extension PixelGrid {
  /// Draws the image small, averaged in linear light.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  /// - Returns: The nearest samples; free of the background, with alpha unless all are opaque.
  /// - Precondition: Both sides are positive.
  /// - Complexity: O(cells + `width * height`).
  public func bitmap(width: Int, height: Int) -> Bitmap {
    let (colors, alphas) = straightPoints(width: width, height: height)
    let samples = SRGBEncoder.shared.samples(ofLinear: colors)
    let alphaSamples = alphas.map { UInt8(max(0, min(1, $0)) * 255 + 0.5) }
    return Bitmap(
      width: width, height: height, samples: samples,
      alphas: alphaSamples.contains { $0 < 255 } ? alphaSamples : [])
  }

  /// The light of equal points free of the background, and their alphas if not all pixels are opaque; the
  /// fourth lanes mean nothing.
  func straightPoints(width: Int, height: Int) -> (colors: [SIMD4<Float>], alphas: [Float]) {
    var colors = points(width: width, height: height)
    let alphas = areaAlphas(width: width, height: height)
    for index in alphas.indices {
      colors[index] = SIMD4(straight(colors[index].xyz, alphas[index]), 0)
    }
    return (colors, alphas)
  }

  /// Draws the image so small that its long side has some pixels, and the other as its shape asks for.
  package func bitmap(longSide: Int) -> Bitmap {
    let whole = max(sourceWidth, sourceHeight)
    func scaled(_ side: Int) -> Int {
      max(1, (side * longSide * 2 + whole) / (whole * 2))
    }
    return bitmap(width: scaled(sourceWidth), height: scaled(sourceHeight))
  }

  /// The mean alpha of each rectangle of ``areaMeans(width:height:)``; empty if all pixels are opaque.
  private func areaAlphas(width: Int, height: Int) -> [Float] {
    guard !isOpaque else { return [] }
    let planes = PixelGrid(
      columns: columns, rows: rows, cells: alphas.map { SIMD3(repeating: $0) })
    return planes.areaMeans(width: width, height: height).map { $0.x }
  }

  /// The color that is seen over the background with this alpha.
  private func straight(_ color: SIMD3<Float>, _ alpha: Float) -> SIMD3<Float> {
    alpha > 0 ? (color - background * (1 - alpha)) / alpha : .zero
  }
}
