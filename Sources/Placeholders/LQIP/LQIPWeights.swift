/// How much of each color the stylesheet paints on each part of the box.
///
/// The geometry is relative to the box, so weights do not depend on an image.
struct LQIPWeights: Sendable {
  /// A weight for each color, of up to eight; they add up to 1.
  typealias OfColors = SIMD8<Float>

  /// Parts across and down.
  let side: Int

  /// The weights on each part, row-major.
  let parts: [OfColors]

  private init(side: Int, parts: [OfColors]) {
    self.side = side
    self.parts = parts
  }

  /// Averages over 2×2 positions in each part.
  init(side: Int, layers: [LQIPGradient]) {
    let fineSide = side * 2
    let fine = (0..<fineSide * fineSide).map { part in
      let (y, x) = part.quotientAndRemainder(dividingBy: fineSide)
      return Self.weights(
        x: (Float(x) + 0.5) / Float(fineSide), y: (Float(y) + 0.5) / Float(fineSide),
        layers: layers)
    }
    self = LQIPWeights(side: fineSide, parts: fine).coarsened(by: 2)
  }

  /// Averages over `factor` × `factor` parts.
  func coarsened(by factor: Int) -> LQIPWeights {
    let coarseSide = side / factor
    let coarse = (0..<coarseSide * coarseSide).map { part in
      let (y, x) = part.quotientAndRemainder(dividingBy: coarseSide)
      var sum = OfColors.zero
      for offset in 0..<factor * factor {
        let row = y * factor + offset / factor
        sum += parts[row * side + x * factor + offset % factor]
      }
      return sum / Float(factor * factor)
    }
    return LQIPWeights(side: coarseSide, parts: coarse)
  }

  /// The weights at one position, both coordinates from 0 to 1.
  static func weights(x: Float, y: Float, layers: [LQIPGradient]) -> OfColors {
    var weights = OfColors.zero
    weights[0] = 1
    for (index, layer) in layers.enumerated() {
      let opacity = layer.opacity(x: x, y: y)
      weights *= 1 - opacity
      weights[index + 1] = opacity
    }
    return weights
  }

  /// The color that is seen on a part: a mix of encoded colors.
  @inline(__always)
  func rendered(_ colors: [SIMD3<Float>], part: Int) -> SIMD3<Float> {
    Self.mix(colors, by: parts[part])
  }

  /// Adds up encoded colors, each by its weight.
  @inline(__always)
  static func mix(_ colors: [SIMD3<Float>], by weights: OfColors) -> SIMD3<Float> {
    var mix = SIMD3<Float>.zero
    for color in colors.indices { mix += weights[color] * colors[color] }
    return mix
  }
}
