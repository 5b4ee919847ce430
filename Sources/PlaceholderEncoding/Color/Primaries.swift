/// The chromaticities, x and y, of the white and of the three lights of an RGB space.
struct Primaries: Sendable, Hashable {
  /// Source: ITU-R BT.709, which sRGB takes over.
  static let sRGB = Primaries(
    white: [0.3127, 0.3290], red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])

  let white: SIMD2<Double>
  let red: SIMD2<Double>
  let green: SIMD2<Double>
  let blue: SIMD2<Double>
}
