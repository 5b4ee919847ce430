extension CSSInteger {
  /// Renders the preview as a browser does with the ``stylesheet``.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  /// - Returns: Opaque pixels, within a few 8-bit steps of a browser's samples.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    let color = base.encoded
    let levels = levels
    let opacities = GradientOpacities(CSSIntegerLayer.gradients, width: width, height: height)
    return RGBABitmap(width: width, height: height, row: { $0 }) { y, quad in
      var layer = CSSIntegerLayer()
      for cell in 0..<opacities.count {
        let opacity = opacities.lanes(of: cell, quad, y: y)
        layer = layer.over(CSSIntegerLayer(level: levels[cell], opacity: opacity))
      }
      return PixelQuad(
        encodedRed: layer.applied(to: color.x), green: layer.applied(to: color.y),
        blue: layer.applied(to: color.z))
    }
  }
}

/// The effect of cells on the base color at four positions, the same for red, green and blue.
struct CSSIntegerLayer {
  /// The layer changes a sample in 0...1 to `factor * sample + summand`.
  private(set) var factor = SIMD4<Float>.one
  private(set) var summand = SIMD4<Float>.zero

  /// The gradients of the six cells, row-major.
  static let gradients = [0.25, 0.75].flatMap { (y: Float) in
    [0.1667, 0.5, 0.8333].map { (x: Float) in
      LQIPGradient(center: [x, y], radius: [0.5, 0.75])
    }
  }

  init() {}

  /// Creates the layer of a cell for the blend mode `hard-light`, in which gray acts like black or white with reduced
  /// opacity.
  ///
  /// Source: W3C, "Compositing and Blending Level 1", section 9.1.8.
  @inline(__always)
  init(level: Int, opacity: SIMD4<Float>) {
    let light = Self.light(level: level)
    factor = 1 - opacity * abs(light)
    summand = opacity * max(0, light)
  }

  /// Returns the light of a cell: negative for black, positive for white; the magnitude scales the opacity.
  static func light(level: Int) -> Float { Float(level) * 0.4 - 0.6 }

  /// Returns the composition of this layer over another one.
  @inline(__always)
  func over(_ below: CSSIntegerLayer) -> CSSIntegerLayer {
    var both = self
    both.summand += factor * below.summand
    both.factor *= below.factor
    return both
  }

  /// Returns the sample at each of the four positions, given the sample of the base color.
  @inline(__always)
  func applied(to sample: Float) -> SIMD4<Float> {
    clamped(factor * sample + summand, to: .one)
  }
}
