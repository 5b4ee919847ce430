/// What the cells of an integer LQIP do to the base color at one place: the same to each sample.
struct IntegerLQIPLayer {
  /// A sample in 0...1 is multiplied by this, and the other added.
  var factor: Float = 1
  var summand: Float = 0

  /// The places of the cells' centers, and how far each reaches: shares of both sides.
  static let gradients = [0.25, 0.75].flatMap { (y: Float) in
    [0.1667, 0.5, 0.8333].map { (x: Float) in
      LQIPGradient(center: [x, y], radius: [0.5, 0.75])
    }
  }

  /// The gray of a level, 0...1.
  static func gray(ofLevel level: Int) -> Float { Float(level) / 3 * 0.6 + 0.2 }

  /// How opaque each cell is at a place, whose coordinates are shares of both sides.
  static func opacities(x: Float, y: Float) -> [Float] {
    gradients.map { $0.opacity(x: x, y: y) }
  }

  /// Lays the cells over one another, the last at the bottom, each in hard light.
  ///
  /// Gray in hard light is black or white with a part of its opacity.
  ///
  /// Source: W3C, "Compositing and Blending Level 1", section 9.1.8.
  @inline(__always)
  init(levels: [Int], opacities: some Collection<Float>) {
    for (level, opacity) in zip(levels, opacities).reversed() {
      let light = 2 * Self.gray(ofLevel: level) - 1
      let share = 1 - opacity * abs(light)
      factor *= share
      summand = summand * share + (light > 0 ? opacity * light : 0)
    }
  }

  /// A base color as it is seen there.
  @inline(__always)
  func applied(to color: SIMD3<Float>) -> SIMD3<Float> {
    color * factor + summand
  }
}
