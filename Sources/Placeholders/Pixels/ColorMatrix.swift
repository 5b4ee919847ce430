/// A linear map from an image's own red, green and blue light to that of sRGB.
package struct ColorMatrix: Sendable, Hashable {
  package static let identity = ColorMatrix(red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1])

  /// Linear sRGB of the image's unit colors; beyond 0...1 where the image's gamut is wider.
  let red: SIMD3<Float>
  let green: SIMD3<Float>
  let blue: SIMD3<Float>

  /// Takes linear sRGB of the image's unit colors.
  init(red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Takes the colorants of an ICC profile, which are XYZ relative to D50.
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
      .allSatisfy { own, unit in
        let difference = own - unit
        return dot(difference, difference).squareRoot() < 0.004
      }
  }

  /// Maps a color, and clamps it to what sRGB can show.
  func callAsFunction(_ color: SIMD3<Float>) -> SIMD3<Float> {
    clamped(color.x * red + color.y * green + color.z * blue, to: .one)
  }
}
