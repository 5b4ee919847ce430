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
    let color = base.encoded
    let lights = levels.map { 2 * IntegerLQIPLayer.gray(ofLevel: $0) - 1 }
    let opacities = GradientOpacities(IntegerLQIPLayer.gradients, width: width, height: height)
    return Bitmap(width: width, height: height, row: { $0 }) { y, quad in
      var layer = IntegerLQIPLayer()
      // The last cell is at the bottom.
      for cell in (0..<opacities.count).reversed() {
        layer.add(light: lights[cell], opacity: opacities.lanes(of: cell, quad, y: y))
      }
      return PixelQuad(
        encodedRed: layer.applied(to: color.x), green: layer.applied(to: color.y),
        blue: layer.applied(to: color.z))
    }
  }
}
