/// The chromaticities, x and y, of the white and of the three lights of an RGB space.
struct Primaries: Sendable, Hashable {
  /// Source: ITU-R BT.709, which sRGB takes over.
  static let sRGB = Primaries(
    white: [0.3127, 0.3290], red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])

  /// Source: SMPTE EG 432-1, with the white of sRGB.
  static let displayP3 = Primaries(
    white: [0.3127, 0.3290], red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])

  /// Source: ITU-R BT.2020, table 3.
  static let bt2020 = Primaries(
    white: [0.3127, 0.3290], red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])

  let white: SIMD2<Double>
  let red: SIMD2<Double>
  let green: SIMD2<Double>
  let blue: SIMD2<Double>
}
