/// The order of the 8-bit samples of a pixel in a decoded row.
package enum SampleLayout: Sendable {
  case gray
  case grayAlpha
  case rgb
  case rgba
  case cmyk

  package var count: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }

  package var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
}

/// The linear light for each 8-bit sample, in separate tables for red, green and blue.
///
/// Light is an integer with 35 fractional bits, which represent every value of ``SRGB/linear`` exactly. Sums of
/// integers do not depend on their order.
package struct TransferCurves: Sendable, Hashable {
  /// Full light; a `Double`, because 2^35 exceeds a 32-bit `Int`.
  static let unit = 0x1p35

  package static let sRGB = TransferCurves(red: SRGB.linear, green: SRGB.linear, blue: SRGB.linear)

  /// Three tables of 256 entries: red, green, blue.
  let light: [UInt64]

  /// Creates tables from the linear light of each sample, which is clamped to 0...1.
  package init(red: [Float], green: [Float], blue: [Float]) {
    precondition(
      [red, green, blue].allSatisfy { $0.count == 256 }, "expected 256 values per table")
    light = (red + green + blue).map { value in
      UInt64(Double(max(0, min(1, value))) * Self.unit)
    }
  }

  /// Tabulates a function from a sample in 0...255 to its linear light, for all channels.
  package init(light: (Double) -> Double) {
    let table = (0...255).map { Float(light(Double($0))) }
    self.init(red: table, green: table, blue: table)
  }

  /// Whether the light of each sample rounds to the sRGB sample of the same value.
  package var isSRGB: Bool {
    light.indices.allSatisfy { index in
      let value = Float(light[index]) / Float(Self.unit)
      return SRGBEncoder.shared.sample(of: value) == UInt8(index & 255)
    }
  }
}

/// A linear map from the linear light of an image to linear sRGB.
package struct ColorMatrix: Sendable, Hashable {
  package static let identity = ColorMatrix(red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1])

  /// The linear sRGB color of each primary of the image; outside 0...1 if the image's gamut exceeds that of sRGB.
  let red: SIMD4<Float>
  let green: SIMD4<Float>
  let blue: SIMD4<Float>

  /// Creates the map of an image from the linear sRGB colors of its primaries.
  init(red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>) {
    self.red = SIMD4(red, 0)
    self.green = SIMD4(green, 0)
    self.blue = SIMD4(blue, 0)
  }

  /// Creates a map from the colorants of an ICC profile: XYZ colors relative to D50.
  package init(redXYZ: SIMD3<Float>, greenXYZ: SIMD3<Float>, blueXYZ: SIMD3<Float>) {
    self.init(
      red: Self.linearSRGB(ofXYZ: redXYZ), green: Self.linearSRGB(ofXYZ: greenXYZ),
      blue: Self.linearSRGB(ofXYZ: blueXYZ))
  }

  /// Converts an XYZ color relative to D50 to linear sRGB.
  ///
  /// Source: Bruce Lindbloom, "RGB/XYZ Matrices", sRGB adapted to D50 with the Bradford method.
  private static func linearSRGB(ofXYZ color: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      dot(color, SIMD3(3.133_856_1, -1.616_866_7, -0.490_614_6)),
      dot(color, SIMD3(-0.978_768_4, 1.916_141_5, 0.033_454_0)),
      dot(color, SIMD3(0.071_945_3, -0.228_991_4, 1.405_242_7)))
  }

  /// Whether the map moves each primary by at most about one 8-bit step.
  package var isIdentity: Bool {
    zip([red, green, blue], [Self.identity.red, Self.identity.green, Self.identity.blue])
      .allSatisfy { own, unit in dot((own - unit).xyz, (own - unit).xyz).squareRoot() < 0.004 }
  }

  /// Maps a color; the result is outside 0...1 if the color is outside the sRGB gamut or brighter than white.
  package func unclamped(_ color: SIMD3<Float>) -> SIMD3<Float> {
    (color.x * red + color.y * green + color.z * blue).xyz
  }

  /// Maps a color, and clamps the result to the sRGB gamut.
  func callAsFunction(_ color: SIMD4<Float>) -> SIMD4<Float> {
    clamped(color.x * red + color.y * green + color.z * blue, to: .one)
  }
}
