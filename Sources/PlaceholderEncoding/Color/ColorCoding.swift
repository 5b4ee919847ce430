internal import Placeholders

/// The color space that the cICP chunk of a PNG file declares.
///
/// Sources: PNG, Third Edition, section 11.3.2.6; ITU-T H.273, tables 2 and 3.
struct ColorCoding: Sendable, Hashable {
  let primaries: Primaries
  let transfer: TransferFunction

  /// Creates a color space from the values of the chunk; nil if a value is not supported.
  ///
  /// - Parameters:
  ///   - primaries: 1 for sRGB, 9 for BT.2020, 12 for Display P3.
  ///   - transfer: The raw value of a ``TransferFunction``.
  ///   - matrix: 0 for RGB samples.
  ///   - range: 1 for the full range; Chromium ignores a chunk with the narrow range.
  init?(primaries: UInt8, transfer: UInt8, matrix: UInt8, range: UInt8) {
    switch primaries {
    case 1: self.primaries = .sRGB
    case 9: self.primaries = .bt2020
    case 12: self.primaries = .displayP3
    default: return nil
    }
    guard let transfer = TransferFunction(rawValue: transfer), matrix == 0, range == 1 else {
      return nil
    }
    self.transfer = transfer
  }

  /// The curves from 8-bit samples to linear light.
  var curves: TransferCurves {
    TransferCurves { transfer.linear($0 / 255) }
  }
}

/// The chromaticities, x and y, of the white point and the primaries of an RGB space.
struct Primaries: Sendable, Hashable {
  /// The primaries and the white point of sRGB.
  ///
  /// Source: ITU-R BT.709.
  static let sRGB = Primaries(
    white: [0.3127, 0.3290], red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])

  /// The primaries of Display P3, with the white point of sRGB.
  ///
  /// Source: SMPTE EG 432-1.
  static let displayP3 = Primaries(
    white: [0.3127, 0.3290], red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])

  /// The primaries and the white point of BT.2020.
  ///
  /// Source: ITU-R BT.2020, table 3.
  static let bt2020 = Primaries(
    white: [0.3127, 0.3290], red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])

  let white: SIMD2<Double>
  let red: SIMD2<Double>
  let green: SIMD2<Double>
  let blue: SIMD2<Double>
}
