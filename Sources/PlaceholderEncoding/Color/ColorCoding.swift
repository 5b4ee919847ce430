internal import Placeholders

/// What a PNG's cICP chunk says of its colors.
///
/// Sources: PNG, Third Edition, section 11.3.2.6; ITU-T H.273, tables 2 and 3.
struct ColorCoding: Sendable, Hashable {
  let primaries: Primaries
  let transfer: TransferFunction

  /// Takes the numbers of the chunk; nil for those that are not understood.
  ///
  /// - Parameters:
  ///   - primaries: 1 for those of sRGB, 9 for BT.2020, 12 for Display P3.
  ///   - transfer: See ``TransferFunction``.
  ///   - matrix: 0, as samples are RGB.
  ///   - range: 1 for the full range; Chromium ignores a chunk of the narrow one.
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

  /// The light of each sample.
  var curves: TransferCurves {
    TransferCurves { transfer.linear($0 / 255) }
  }
}
