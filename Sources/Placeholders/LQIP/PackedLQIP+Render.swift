extension PackedLQIP {
  /// Draws the preview as a browser does with the stylesheet.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - second: The second value of the variant with six colors, or nil for three.
  /// - Precondition: Both sides are positive.
  /// - Returns: The pixels, within a step or so of the browser's own roundings.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int, second: PackedLQIP? = nil) -> Bitmap {
    let colors = colors + (second?.colors ?? [])
    let layers = second == nil ? LQIPGradient.forThreeColors : LQIPGradient.forSixColors
    return Bitmap(width: width, height: height) { y in
      { x in
        let weights = LQIPWeights.weights(
          x: (Float(x) + 0.5) / Float(width), y: (Float(y) + 0.5) / Float(height), layers: layers)
        return SIMD3<UInt8>(LQIPWeights.mix(colors, by: weights) * 255 + 0.5)
      }
    }
  }
}
