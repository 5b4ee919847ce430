internal import CPlaceholderCodecs

extension lqip_tile_matrix {
  /// Creates the map from the samples of a picture to 8-bit RGB; nil if the matrix is not supported.
  ///
  /// An unspecified matrix is that of BT.601, as in Chromium.
  ///
  /// Source: ITU-T H.273, table 4 and section 8.3.
  init?(matrix: UInt8, primaries: UInt8, isFullRange: Bool, depth: Int, isGray: Bool) {
    guard let rows = isGray ? Self.gray : Self.rows(of: matrix, primaries) else { return nil }
    let step = Double(1 << (depth - 8))
    let maximum = Double(1 << depth - 1)
    // For RGB samples, all three have the range of luma.
    let isRGB = matrix == 0 && !isGray
    var luma = isFullRange ? maximum : 219 * step
    var chroma = isRGB ? luma : isFullRange ? maximum : 224 * step
    if matrix == 16, !isGray {
      // Colors are two bits shorter than samples, and differences of colors one bit.
      guard isFullRange, depth >= 10 else { return nil }
      luma = Double(1 << (depth - 2) - 1)
      chroma = 2 * luma
    }
    let lumaStart = isFullRange ? 0 : 16 * step
    let chromaStart = isRGB ? lumaStart : 128 * step
    func coefficients(_ row: SIMD3<Double>) -> (y: Float, u: Float, v: Float, offset: Float) {
      let (y, u, v) = (row.x * 255 / luma, row.y * 255 / chroma, row.z * 255 / chroma)
      return (Float(y), Float(u), Float(v), Float(0.5 - y * lumaStart - (u + v) * chromaStart))
    }
    let (red, green, blue) = (
      coefficients(rows.0), coefficients(rows.1), coefficients(rows.2)
    )
    self.init(
      y: (red.y, green.y, blue.y), u: (red.u, green.u, blue.u), v: (red.v, green.v, blue.v),
      offset: (red.offset, green.offset, blue.offset))
  }

  private typealias Rows = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  private static let gray: Rows = ([1, 0, 0], [1, 0, 0], [1, 0, 0])

  /// Returns red, green and blue as sums of luma in 0...1 and the two chroma samples in -0.5...0.5.
  private static func rows(of matrix: UInt8, _ primaries: UInt8) -> Rows? {
    switch matrix {
    case 0: ([0, 0, 1], [1, 0, 0], [0, 1, 0])
    case 1: rows(red: 0.2126, blue: 0.0722)
    case 4: rows(red: 0.30, blue: 0.11)
    case 2, 5, 6: rows(red: 0.299, blue: 0.114)
    case 7: rows(red: 0.212, blue: 0.087)
    case 8, 16: ([1, -1, 1], [1, 1, 0], [1, -1, -1])
    case 9: rows(red: 0.2627, blue: 0.0593)
    case 12: rows(of: Primaries(codePoint: primaries) ?? .sRGB)
    default: nil
    }
  }

  /// Returns the map of a matrix whose luma is the luminance of primaries.
  ///
  /// Source: ITU-T H.273, section 8.3, with determinants of x, y and 1 instead of x, y and z.
  private static func rows(of primaries: Primaries) -> Rows {
    let (white, red, green, blue) = (
      primaries.white, primaries.red, primaries.green, primaries.blue
    )
    func determinant(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
      a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y)
    }
    let unit = white.y * determinant(red, green, blue)
    return rows(
      red: red.y * determinant(white, green, blue) / unit,
      blue: blue.y * determinant(red, green, white) / unit)
  }

  /// Returns the map of a matrix that is defined by the shares of red and blue in luma.
  private static func rows(red: Double, blue: Double) -> Rows {
    let green = 1 - red - blue
    return (
      [1, 0, 2 * (1 - red)],
      [1, -2 * (1 - blue) * blue / green, -2 * (1 - red) * red / green], [1, 2 * (1 - blue), 0]
    )
  }
}
