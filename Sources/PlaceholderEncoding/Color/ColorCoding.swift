internal import Placeholders

/// The color space that the cICP chunk of a PNG file declares.
///
/// Sources: PNG, Third Edition, section 11.3.2.6; ITU-T H.273, tables 2 and 3.
struct ColorCoding: Sendable, Hashable {
  let primaries: Primaries
  let transfer: TransferFunction

  /// Creates a color space from the values of the chunk; nil if a value is not supported.
  ///
  /// Like Chromium, this supports only RGB samples (matrix 0) with the full range (1).
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
}

/// The chromaticities, x and y, of the white point and the primaries of an RGB space.
struct Primaries: Sendable, Hashable {
  /// The primaries of sRGB.
  ///
  /// Source: ITU-R BT.709.
  static let sRGB = Primaries(red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])

  /// The primaries of Display P3.
  ///
  /// Source: SMPTE EG 432-1.
  static let displayP3 = Primaries(
    red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])

  /// The primaries of BT.2020.
  ///
  /// Source: ITU-R BT.2020, table 3.
  static let bt2020 = Primaries(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])

  /// The white point, by default D65, which all three color spaces share.
  var white: SIMD2<Double> = [0.3127, 0.3290]
  let red: SIMD2<Double>
  let green: SIMD2<Double>
  let blue: SIMD2<Double>
}

/// A transfer function that the cICP chunk of a PNG file can declare.
///
/// Source: ITU-T H.273, table 3.
enum TransferFunction: UInt8, Sendable {
  case bt709 = 1
  case gamma22 = 4
  case gamma28 = 5
  case bt601 = 6
  case linear = 8
  case sRGB = 13
  case bt2020 = 14
  case bt2020At12Bits = 15
  case pq = 16
  case hlg = 18

  /// The name of an HDR transfer function, which can encode light above white; nil for others.
  var hdrName: String? {
    switch self {
    case .pq: "PQ"
    case .hlg: "HLG"
    default: nil
    }
  }

  /// Returns the linear light of an encoded value in 0...1; white is 1.
  func linear(_ value: Double) -> Double {
    switch self {
    case .linear: value
    case .gamma22: PortableMath.power(value, 2.2)
    case .gamma28: PortableMath.power(value, 2.8)
    case .sRGB: value <= 0.04045 ? value / 12.92 : PortableMath.power((value + 0.055) / 1.055, 2.4)
    case .bt709, .bt601, .bt2020, .bt2020At12Bits:
      value < 0.081 ? value / 4.5 : PortableMath.power((value + 0.099) / 1.099, 1 / 0.45)
    case .pq: Self.pq(value) * 10_000 / Self.whiteLuminance
    case .hlg: PortableMath.power(Self.hlg(value), 1.2) * 1000 / Self.whiteLuminance
    }
  }

  /// The luminance of white in HDR images, in cd/m².
  ///
  /// Source: ITU-R BT.2408, section 2.1.
  private static let whiteLuminance = 203.0

  /// Returns the luminance of a PQ value, as a fraction of 10,000 cd/m².
  ///
  /// Source: ITU-R BT.2100, table 4, EOTF.
  private static func pq(_ value: Double) -> Double {
    let root = PortableMath.power(value, 32 / 2523)
    return PortableMath.power(
      max(root - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * root), 16384 / 2610)
  }

  /// Returns the scene light of an HLG value, in 0...1.
  ///
  /// ``linear(_:)`` applies the OOTF for a display of 1000 cd/m².
  ///
  /// Source: ITU-R BT.2100, table 5, inverse of the OETF.
  private static func hlg(_ value: Double) -> Double {
    value <= 0.5
      ? value * value / 3
      : (PortableMath.exponential((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
  }
}
