internal import Placeholders

/// The color space that the code points of a cICP chunk or an nclx box declare, as Chromium shows it.
///
/// Sources of the numbers and chromaticities: ITU-T H.273, tables 2 and 3.
struct ColorCoding: Sendable, Hashable {
  let primaries: Primaries
  let transfer: TransferFunction

  /// Creates a color space; nil if Chromium does not support one of the code points.
  ///
  /// The camera curve replaces the curves of BT.709, BT.601 and BT.2020: Chromium shows them as a gamma of 2.4 in PNG, and
  /// as sRGB in AVIF.
  init?(primaries: UInt8, transfer: UInt8, cameraCurve: TransferFunction) {
    guard let primaries = Primaries(codePoint: primaries) else { return nil }
    self.primaries = primaries
    switch transfer {
    case 1, 6, 11, 14, 15: self.transfer = cameraCurve
    case 4: self.transfer = .gamma(2.2)
    case 5: self.transfer = .gamma(2.8)
    case 7: self.transfer = .smpte240
    case 8: self.transfer = .gamma(1)
    case 13: self.transfer = .sRGB
    case 16: self.transfer = .pq
    case 17: self.transfer = .smpte428
    case 18: self.transfer = .hlg
    default: return nil
    }
  }
}

/// The chromaticities, x and y, of the white point and the primaries of an RGB space.
struct Primaries: Sendable, Hashable {
  /// The primaries of sRGB and BT.709.
  static let sRGB = Primaries(red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06])

  /// The white point, by default D65.
  var white: SIMD2<Double> = [0.3127, 0.3290]
  let red: SIMD2<Double>
  let green: SIMD2<Double>
  let blue: SIMD2<Double>
}

extension Primaries {
  /// Creates the primaries of a code point; nil if it is reserved or unspecified.
  init?(codePoint: UInt8) {
    let illuminantC: SIMD2 = [0.310, 0.316]
    switch codePoint {
    case 1: self = .sRGB
    // BT.470 M.
    case 4:
      self.init(white: illuminantC, red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08])
    // BT.601 with 625 lines.
    case 5: self.init(red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06])
    // BT.601 with 525 lines, and SMPTE 240M.
    case 6, 7: self.init(red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070])
    // Film with illuminant C.
    case 8:
      self.init(
        white: illuminantC, red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049])
    // BT.2020.
    case 9: self.init(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])
    // CIE 1931 XYZ.
    case 10: self.init(white: [1.0 / 3, 1.0 / 3], red: [1, 0], green: [0, 1], blue: [0, 0])
    // DCI-P3.
    case 11:
      self.init(
        white: [0.314, 0.351], red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
    // Display P3.
    case 12: self.init(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
    // EBU Tech 3213.
    case 22: self.init(red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077])
    default: return nil
    }
  }
}

/// A function from encoded samples to linear light.
enum TransferFunction: Sendable, Hashable {
  case sRGB
  case gamma(Double)
  /// SMPTE ST 240.
  case smpte240
  /// SMPTE ST 428-1, of digital cinema.
  case smpte428
  case pq
  case hlg

  /// The name of an HDR transfer function, which can encode light above white; nil for others.
  var hdrName: String? {
    switch self {
    case .pq: "PQ"
    case .hlg: "HLG"
    default: nil
    }
  }

  /// Returns the linear light of an encoded value in 0...1; white is 1.
  ///
  /// For HLG, it is the light of the scene, whose maximum is 1.
  func linear(_ value: Double) -> Double {
    switch self {
    case .sRGB: value <= 0.04045 ? value / 12.92 : PortableMath.power((value + 0.055) / 1.055, 2.4)
    case .gamma(let gamma): PortableMath.power(value, gamma)
    case .smpte240:
      value < 0.0912 ? value / 4 : PortableMath.power((value + 0.1115) / 1.1115, 1 / 0.45)
    case .smpte428: PortableMath.power(value, 2.6) * 52.37 / 48
    case .pq: Self.pq(value) * 10_000 / ToneMapping.whiteLuminance
    case .hlg: Self.hlg(value)
    }
  }

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
  /// Source: ITU-R BT.2100, table 5, inverse of the OETF.
  private static func hlg(_ value: Double) -> Double {
    value <= 0.5
      ? value * value / 3
      : (PortableMath.exponential((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
  }
}
