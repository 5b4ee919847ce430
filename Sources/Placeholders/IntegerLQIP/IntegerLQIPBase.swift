/// The base color of an integer LQIP, one of 256.
struct IntegerLQIPBase: Hashable, Sendable {
  /// The 8 bits: lightness, green to red, blue to yellow.
  let index: Int

  /// All there are, by their bits.
  static let all: [IntegerLQIPBase] = (0..<256).map { IntegerLQIPBase(index: $0) }

  /// The color that the stylesheet gives it.
  var color: Oklab {
    let (lightness, a, b) = (Float(index >> 6), Float(index >> 3 & 7), Float(index & 7))
    return Oklab(
      components: SIMD3(lightness / 3 * 0.6 + 0.2, a / 8 * 0.7 - 0.35, (b + 1) / 8 * 0.7 - 0.35))
  }

  /// The samples in 0...1 that a screen of sRGB shows of it.
  var encoded: SIMD3<Float> {
    SRGB.encoded(ofLinear: clamped(color.linear, to: .one))
  }

  /// The one that the article's script takes for a color.
  ///
  /// Differences of hue count for more among grays, and gray itself is held back.
  static func nearest(to color: Oklab) -> IntegerLQIPBase {
    func spread(_ color: Oklab) -> SIMD3<Float> {
      let (l, a, b) = (color.components.x, color.components.y, color.components.z)
      let factor = 1 / (1e-6 + (a * a + b * b).squareRoot().squareRoot())
      return SIMD3(l, a * factor, b * factor)
    }
    let target = spread(color)
    var best = (base: all[0], difference: Float.infinity)
    for base in all {
      let offset = spread(base.color) - target
      let penalty: Float = base.isGray ? 0.04 : 0
      let difference = penalty + dot(offset, offset).squareRoot()
      if difference < best.difference { best = (base, difference) }
    }
    return best.base
  }

  /// Whether it has no color.
  var isGray: Bool { index & 63 == 4 << 3 | 3 }
}
