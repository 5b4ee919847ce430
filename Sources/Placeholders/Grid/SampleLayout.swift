/// The 8-bit samples of a pixel in a decoded row.
package enum SampleLayout: Sendable {
  case gray
  case grayAlpha
  case rgb
  case rgba
  case cmyk

  /// Samples per pixel.
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

/// The light of each 8-bit sample: one table each for red, green and blue.
///
/// Light has a fixed point with 35 fractional bits. They hold every value of ``SRGB/linear`` without
/// rounding, and sums of such integers do not depend on their order.
package struct TransferCurves: Sendable, Hashable {
  /// Full light, which exceeds an integer of 32 bits.
  static let unit = 0x1p35

  package static let sRGB = TransferCurves(red: SRGB.linear, green: SRGB.linear, blue: SRGB.linear)

  /// Three tables of 256 entries, red's first.
  let light: [UInt64]

  /// Converts the linear light, in 0...1, of each sample.
  package init(red: [Float], green: [Float], blue: [Float]) {
    precondition([red, green, blue].allSatisfy { $0.count == 256 }, "a sample has 256 values")
    light = (red + green + blue).map { value in
      UInt64(Double(max(0, min(1, value))) * Self.unit)
    }
  }

  /// Tabulates a function from a sample, in 0...255, to its linear light, for all channels.
  package init(light: (Double) -> Double) {
    let table = (0...255).map { Float(light(Double($0))) }
    self.init(red: table, green: table, blue: table)
  }

  /// Whether no sample differs from sRGB's by more than half a step of that sample.
  package var isSRGB: Bool {
    light.indices.allSatisfy { index in
      let value = Float(light[index]) / Float(Self.unit)
      return SRGBEncoder.shared.sample(of: value) == UInt8(index & 255)
    }
  }
}

/// A linear map from an image's own red, green and blue light to that of sRGB.
package struct ColorMatrix: Sendable, Hashable {
  package static let identity = ColorMatrix(red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1])

  /// Linear sRGB of the image's unit colors; beyond 0...1 where the image's gamut is wider.
  let red: SIMD4<Float>
  let green: SIMD4<Float>
  let blue: SIMD4<Float>

  /// Creates a map to the given linear sRGB of the image's unit colors.
  init(red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>) {
    self.red = SIMD4(red, 0)
    self.green = SIMD4(green, 0)
    self.blue = SIMD4(blue, 0)
  }

  /// Converts the colorants of an ICC profile, which are XYZ relative to D50.
  package init(redXYZ: SIMD3<Float>, greenXYZ: SIMD3<Float>, blueXYZ: SIMD3<Float>) {
    self.init(
      red: Self.linearSRGB(ofXYZ: redXYZ), green: Self.linearSRGB(ofXYZ: greenXYZ),
      blue: Self.linearSRGB(ofXYZ: blueXYZ))
  }

  /// Source: Bruce Lindbloom, "RGB/XYZ Matrices", sRGB adapted to D50 with Bradford's method.
  private static func linearSRGB(ofXYZ color: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      dot(color, SIMD3(3.133_856_1, -1.616_866_7, -0.490_614_6)),
      dot(color, SIMD3(-0.978_768_4, 1.916_141_5, 0.033_454_0)),
      dot(color, SIMD3(0.071_945_3, -0.228_991_4, 1.405_242_7)))
  }

  /// Whether it moves no color by as much as an 8-bit step can show.
  package var isIdentity: Bool {
    zip([red, green, blue], [Self.identity.red, Self.identity.green, Self.identity.blue])
      .allSatisfy { own, unit in dot((own - unit).xyz, (own - unit).xyz).squareRoot() < 0.004 }
  }

  /// Maps a color, and clamps it to what sRGB can show.
  func callAsFunction(_ color: SIMD4<Float>) -> SIMD4<Float> {
    clamped(color.x * red + color.y * green + color.z * blue, to: .one)
  }
}
