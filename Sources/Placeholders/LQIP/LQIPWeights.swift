/// How much of each color the stylesheet paints on each part of the box.
///
/// The geometry is relative to the box, so weights do not depend on an image.
enum LQIPWeights {
  /// A weight for each color, of up to eight; they add up to 1.
  typealias OfColors = SIMD8<Float>

  /// The weights at three scales: means over 4×4 positions in each of the finest parts.
  static func scaled(layers: [LQIPGradient]) -> ScaleWeights {
    let size = 4
    let side = ScaleLayout.side
    let parts = (0..<side * side).map { part in
      var sum = OfColors.zero
      for index in 0..<size * size {
        let x = part % side * size + index % size
        let y = part / side * size + index / size
        let length = Float(side * size)
        sum += weights(
          x: (Float(x) + 0.5) / length, y: (Float(y) + 0.5) / length, layers: layers)
      }
      return sum / Float(size * size)
    }
    return ScaleWeights(count: layers.count + 1) { color, part in parts[part][color] }
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

  /// Adds up encoded colors, each by its weight.
  @inline(__always)
  static func mix(_ colors: [SIMD3<Float>], by weights: OfColors) -> SIMD3<Float> {
    var mix = SIMD3<Float>.zero
    for color in colors.indices { mix += weights[color] * colors[color] }
    return mix
  }
}
