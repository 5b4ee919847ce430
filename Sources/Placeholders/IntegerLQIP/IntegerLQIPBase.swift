/// The base color of an integer LQIP, one of 256.
struct IntegerLQIPBase: Hashable, Sendable {
  /// The 8 bits: lightness, green to red, blue to yellow.
  let index: Int

  /// The color that the stylesheet gives it.
  let color: Oklab

  /// Takes the bits.
  init(index: Int) {
    self.index = index
    let (lightness, a, b) = (Float(index >> 6), Float(index >> 3 & 7), Float(index & 7))
    color = Oklab(
      components: SIMD3(lightness / 3 * 0.6 + 0.2, a / 8 * 0.7 - 0.35, (b + 1) / 8 * 0.7 - 0.35))
  }

  /// All there are, by their bits.
  static let all: [IntegerLQIPBase] = (0..<256).map { IntegerLQIPBase(index: $0) }

  /// The samples in 0...1 that a screen of sRGB shows of it.
  var encoded: SIMD3<Float> {
    SRGB.encoded(ofLinear: clamped(color.linear, to: .one))
  }

  /// A color where differences of hue count for more among grays.
  private static func spread(_ color: Oklab) -> SIMD3<Float> {
    let (l, a, b) = (color.components.x, color.components.y, color.components.z)
    let factor = 1 / (1e-6 + (a * a + b * b).squareRoot().squareRoot())
    return SIMD3(l, a * factor, b * factor)
  }

  private static let spreads: [SIMD3<Float>] = all.map { spread($0.color) }

  /// The one that the article's script takes for a color, where gray is held back.
  static func nearest(to color: Oklab) -> IntegerLQIPBase {
    let target = spread(color)
    var best = (base: all[0], difference: Float.infinity)
    for (base, spread) in zip(all, spreads) {
      let offset = spread - target
      let penalty: Float = base.isGray ? 0.04 : 0
      let difference = penalty + dot(offset, offset).squareRoot()
      if difference < best.difference { best = (base, difference) }
    }
    return best.base
  }

  /// Whether it has no color.
  var isGray: Bool { index & 63 == 4 << 3 | 3 }
}
