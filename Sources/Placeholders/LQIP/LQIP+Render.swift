extension LQIP {
  /// Renders the preview as a browser does with the ``stylesheet``.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  /// - Returns: Opaque pixels, within about one 8-bit step of a browser's samples.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    let colors = colors
    return RGBABitmap(
      width: width, height: height,
      layers: zip(gradients, colors.dropFirst()).map { GradientLayer(gradient: $0, color: $1) },
      over: colors[0])
  }
}

/// A gradient in one color.
struct GradientLayer {
  let gradient: LQIPGradient

  /// The color in encoded sRGB, 0...1.
  let color: SIMD3<Float>

  /// The opacity by which that of the gradient is multiplied.
  var opacity: Float = 1
}

extension RGBABitmap {
  /// Draws gradients over a color, the first below the others.
  init(width: Int, height: Int, layers: [GradientLayer], over base: SIMD3<Float>) {
    let opacities = GradientOpacities(layers.map { $0.gradient }, width: width, height: height)
    self.init(width: width, height: height, row: { $0 }) { y, quad in
      var red = SIMD4(repeating: base.x)
      var green = SIMD4(repeating: base.y)
      var blue = SIMD4(repeating: base.z)
      for (index, layer) in layers.enumerated() {
        let opacity = opacities.lanes(of: index, quad, y: y) * layer.opacity
        red = red * (1 - opacity) + layer.color.x * opacity
        green = green * (1 - opacity) + layer.color.y * opacity
        blue = blue * (1 - opacity) + layer.color.z * opacity
      }
      return PixelQuad(encodedRed: red, green: green, blue: blue)
    }
  }
}

/// The opacities of gradients at the centers of pixels.
///
/// The squared distance from the center of a gradient is the sum of a square for the column and one for the row. Both
/// are precomputed.
struct GradientOpacities {
  let count: Int

  /// The squared distances of four columns from a gradient's center, relative to its radius.
  ///
  /// The index is `gradient * quadCount + quad`.
  private let columns: [SIMD4<Float>]
  /// The squared distances of rows from a gradient's center, relative to its radius: `rows[y * count + gradient]`.
  private let rows: [Float]
  private let quadCount: Int

  init(_ gradients: [LQIPGradient], width: Int, height: Int) {
    func square(_ gradient: LQIPGradient, _ position: Int, length: Int, axis: Int) -> Float {
      let share = (Float(position) + 0.5) / Float(length)
      let offset = (share - gradient.center[axis]) / gradient.radius[axis]
      return offset * offset
    }
    count = gradients.count
    quadCount = PixelQuad.count(width: width)
    columns = gradients.flatMap { gradient in
      PixelQuad.lanes(width: width) { square(gradient, $0, length: width, axis: 0) }
    }
    rows = (0..<height).flatMap { y in
      gradients.map { square($0, y, length: height, axis: 1) }
    }
  }

  /// Returns the opacities of a gradient at four pixels of a row, equal to ``LQIPGradient/opacity(x:y:)`` except for
  /// rounding.
  @inline(__always)
  func lanes(of gradient: Int, _ quad: Int, y: Int) -> SIMD4<Float> {
    let squares = columns[gradient &* quadCount &+ quad] + rows[y &* count &+ gradient]
    let isInside = squares .< 1
    guard any(isInside) else { return .zero }
    let tenths = (FastOklab.squareRoots(squares) * 10).replacing(with: 10, where: .!isInside)
    // The nth stop is n²/50, counted from the end to the middle, and 1 - n²/50, counted from the center.
    let isOuter = tenths .> 5
    let distance = tenths.replacing(with: 10 - tenths, where: isOuter)
    // Adding 1.5 · 2^23 rounds to an integer.
    let stop = (distance - 0.5 + 0x1.8p23) - 0x1.8p23
    let next = stop + 1
    let change = ((stop + next) * distance - stop * next) * 0.02
    return (1 - change).replacing(with: change, where: isOuter)
  }
}

extension LQIP: DrawnPlaceholder {}
