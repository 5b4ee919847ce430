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

/// What the cells of an integer LQIP do to the base color at four places: the same to each sample.
struct IntegerLQIPLayer {
  /// A sample in 0...1 is multiplied by this, and the other added.
  private var factor = SIMD4<Float>.one
  private var summand = SIMD4<Float>.zero

  /// The places of the cells' centers, and how far each reaches: shares of both sides.
  static let gradients = [0.25, 0.75].flatMap { (y: Float) in
    [0.1667, 0.5, 0.8333].map { (x: Float) in
      LQIPGradient(center: [x, y], radius: [0.5, 0.75])
    }
  }

  /// The gray of a level, 0...1.
  static func gray(ofLevel level: Int) -> Float { Float(level) / 3 * 0.6 + 0.2 }

  /// Lays a cell over those before, in hard light.
  ///
  /// Gray in hard light is black or white with a part of its opacity.
  ///
  /// Source: W3C, "Compositing and Blending Level 1", section 9.1.8.
  ///
  /// - Parameters:
  ///   - light: How much lighter than middle gray the cell is: -1 for black, 1 for white.
  ///   - opacity: How opaque it is at each place.
  @inline(__always)
  mutating func add(light: Float, opacity: SIMD4<Float>) {
    let share = 1 - opacity * abs(light)
    factor *= share
    summand = summand * share + opacity * max(0, light)
  }

  /// A sample of the base color as it is seen there.
  @inline(__always)
  func applied(to sample: Float) -> SIMD4<Float> {
    clamped(sample * factor + summand, to: .one)
  }
}
