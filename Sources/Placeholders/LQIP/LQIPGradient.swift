/// A radial gradient, drawn over the first color of an ``LQIP``.
///
/// To draw an LQIP with any toolkit, fill the box with the first of ``LQIP/colors``. Then draw ``LQIP/gradients`` in
/// order, each in the next color, with the opacities in ``stops``. Mix the colors in encoded sRGB. For one position:
///
/// ```swift
/// let lqip = try LQIP(parsing: "#36b37520")
/// var color = lqip.colors[0]
/// for (gradient, next) in zip(lqip.gradients, lqip.colors.dropFirst()) {
///   color += gradient.opacity(x: 0.5, y: 0.25) * (next - color)
/// }
/// print(color)
/// ```
///
/// Source: frzi/lqip-css. All lengths are relative to the box, so its shape does not matter.
public struct LQIPGradient: Sendable, Hashable {
  /// The opacities at each tenth of the radius, from the center outwards; linear in between.
  public static let stops: [Float] = [1, 0.98, 0.92, 0.82, 0.68, 0.5, 0.32, 0.18, 0.08, 0.02, 0]

  /// The gradients of the second and third colors.
  public static let forThreeColors: [LQIPGradient] = [
    LQIPGradient(center: [0.4, 0.5], radius: [1, 0.75]),
    LQIPGradient(center: [0.8, 1], radius: [1.5, 0.75]),
  ]

  /// The gradients of the second to sixth colors.
  ///
  /// Each third of the left and right edges has its own color: from the top, colors 0, 1 and 3 on the left, and
  /// colors 4, 5 and 2 on the right. The centers were optimized for 172 pictures and rounded to 5%.
  public static let forSixColors: [LQIPGradient] =
    forThreeColors + [
      LQIPGradient(center: [0.05, 0.75], radius: [0.6, 0.5]),
      LQIPGradient(center: [0.85, 0.35], radius: [0.55, 0.45]),
      LQIPGradient(center: [0.95, 0.7], radius: [0.6, 0.45]),
    ]

  /// The center, as fractions of the width and height.
  public let center: SIMD2<Float>

  /// The horizontal and vertical radii, as fractions of the width and height.
  public let radius: SIMD2<Float>

  /// Returns the opacity of the gradient at a position.
  ///
  /// - Parameters:
  ///   - x: The distance from the left edge, as a fraction of the width.
  ///   - y: The distance from the top edge, as a fraction of the height.
  /// - Returns: The opacity, 0...1.
  public func opacity(x: Float, y: Float) -> Float {
    let offset = (SIMD2(x, y) - center) / radius
    let tenth = (offset * offset).sum().squareRoot() * 10
    guard tenth < 10 else { return 0 }
    let stop = Int(tenth)
    return Self.stops[stop] + (Self.stops[stop + 1] - Self.stops[stop]) * (tenth - Float(stop))
  }
}

extension LQIPGradient {
  /// Returns the color at a position, given the first color and that of each layer.
  static func mix(
    _ colors: [SIMD3<Float>], layers: [LQIPGradient], x: Float, y: Float
  ) -> SIMD3<Float> {
    zip(layers, colors.dropFirst()).reduce(colors[0]) { below, layer in
      below + layer.0.opacity(x: x, y: y) * (layer.1 - below)
    }
  }

  /// Returns a plane of weights for each color of a rendering; they sum to 1 in each part.
  ///
  /// The geometry is relative to the box, so the weights do not depend on the image. Those of a fine part are the means
  /// over 4×4 positions.
  static func weights(layers: [LQIPGradient]) -> PlaneStore {
    let length = 2 * ScaleLayout.side
    let opacities = GradientOpacities(layers, width: length, height: length)
    return PlaneStore(planeCount: layers.count + 1) { planes in
      for group in ScaleLayout.fine {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          for y in 2 * part.row..<2 * part.row + 4 {
            var transparency = Parts.one
            for color in (0...layers.count).reversed() {
              let opacity =
                color == 0 ? .one : opacities.lanes(of: color - 1, part.column / 2, y: y)
              planes[color][group][lane] += (opacity * transparency).sum() / 16
              transparency *= 1 - opacity
            }
          }
        }
      }
      for color in 0...layers.count { ScaleLayout.average(planes[color], includingFinest: false) }
    }
  }
}
