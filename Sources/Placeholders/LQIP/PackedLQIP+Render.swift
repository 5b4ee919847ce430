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
    let opacities = GradientOpacities(
      second == nil ? LQIPGradient.forThreeColors : LQIPGradient.forSixColors, width: width,
      height: height)
    return Bitmap(width: width, height: height, row: { $0 }) { y, quad in
      var red = SIMD4(repeating: colors[0].x)
      var green = SIMD4(repeating: colors[0].y)
      var blue = SIMD4(repeating: colors[0].z)
      for layer in 0..<opacities.count {
        let opacity = opacities.lanes(of: layer, quad, y: y)
        let color = colors[layer + 1]
        red = red * (1 - opacity) + color.x * opacity
        green = green * (1 - opacity) + color.y * opacity
        blue = blue * (1 - opacity) + color.z * opacity
      }
      return PixelQuad(encodedRed: red, green: green, blue: blue)
    }
  }
}
