internal import Placeholders

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
