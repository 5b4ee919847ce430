internal import Placeholders

/// A converter of decoded rows to a layout that the grid can accumulate: gray or RGB, with or without alpha.
struct RowConverter {
  /// The layout of decoded rows.
  let input: SampleLayout

  /// The conversion of each pixel to sRGB; nil if the grid converts its cells instead.
  let transform: ColorTransform?

  /// The layout of converted rows.
  var output: SampleLayout { input == .cmyk ? .rgb : input }

  /// Whether rows need no conversion.
  var isIdentity: Bool { input != .cmyk && transform == nil }

  /// Converts the first `pixelCount` pixels of a row.
  ///
  /// CMYK samples are inverted (255 means no ink), with or without Adobe's marker, as in browsers.
  func convert(_ row: inout [UInt8], into output: inout [UInt8], pixelCount: Int) {
    if let transform {
      if input == .cmyk {
        for index in 0..<pixelCount * 4 { row[index] = 255 - row[index] }
      }
      return transform.convert(row, into: &output, pixelCount: pixelCount)
    }
    // Without a profile, each color sample is multiplied by the black sample.
    for pixel in 0..<pixelCount {
      let light = Int(row[pixel * 4 + 3])
      for channel in 0..<3 {
        output[pixel * 3 + channel] = UInt8((Int(row[pixel * 4 + channel]) * light + 127) / 255)
      }
    }
  }
}
