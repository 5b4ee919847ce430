internal import Placeholders

/// Brings decoded rows into a layout that a grid can sum up: gray or RGB, with or without alpha.
struct RowConverter {
  /// The layout of the rows that come in.
  let input: SampleLayout

  /// The image's own way to sRGB, where it is not left to the grid.
  let transform: ColorTransform?

  /// The layout of the rows that come out.
  var output: SampleLayout { input == .cmyk ? .rgb : input }

  /// Whether rows come out as they come in.
  var isIdentity: Bool { input != .cmyk && transform == nil }

  /// Converts the first pixels of a row.
  ///
  /// CMYK samples are 255 minus the ink, with or without Adobe's marker, as browsers read them.
  func convert(_ row: inout [UInt8], into output: inout [UInt8], pixelCount: Int) {
    guard let transform else {
      return Self.removeInk(from: row, into: &output, pixelCount: pixelCount)
    }
    if input == .cmyk {
      for index in 0..<pixelCount * 4 { row[index] = 255 - row[index] }
    }
    transform.convert(row, into: &output, pixelCount: pixelCount)
  }

  /// Without a profile, ink takes away its share of the light that black leaves.
  private static func removeInk(
    from cmyk: [UInt8], into rgb: inout [UInt8], pixelCount: Int
  ) {
    for pixel in 0..<pixelCount {
      let light = Int(cmyk[pixel * 4 + 3])
      for channel in 0..<3 {
        rgb[pixel * 3 + channel] = UInt8((Int(cmyk[pixel * 4 + channel]) * light + 127) / 255)
      }
    }
  }
}
