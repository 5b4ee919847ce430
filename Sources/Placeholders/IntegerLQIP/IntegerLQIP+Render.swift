extension IntegerLQIP {
  /// Draws the preview as a browser does with the stylesheet.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  /// - Precondition: Both sides are positive.
  /// - Returns: The pixels, within a few steps of the browser's own roundings.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) -> Bitmap {
    let (levels, color) = (levels, base.encoded)
    return Bitmap(width: width, height: height) { y in
      { x in
        let opacities = IntegerLQIPLayer.opacities(
          x: (Float(x) + 0.5) / Float(width), y: (Float(y) + 0.5) / Float(height))
        let layer = IntegerLQIPLayer(levels: levels, opacities: opacities)
        return SIMD3<UInt8>(clamped(layer.applied(to: color), to: .one) * 255 + 0.5)
      }
    }
  }
}
