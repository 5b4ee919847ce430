/// A color in OKLab, where distances approximate perceived differences.
///
/// Source: Björn Ottosson, "A perceptual color space for image processing" (2020), with the matrices of January 2021.
struct Oklab: Sendable, Hashable {
  /// Lightness in 0...1, then the green-red axis and the blue-yellow axis.
  var components: SIMD3<Float>

  init(linear color: SIMD3<Float>) {
    let cones = Self.product(Self.conesOfLight, color)
    let roots = SIMD3(
      PortableMath.cubeRoot(cones.x), PortableMath.cubeRoot(cones.y),
      PortableMath.cubeRoot(cones.z))
    components = Self.product(Self.componentsOfRoots, roots)
  }

  init(components: SIMD3<Float>) {
    self.components = components
  }

  /// The color in linear sRGB; outside 0...1 if it exceeds the sRGB gamut.
  var linear: SIMD3<Float> {
    let (l, a, b) = (components.x, components.y, components.z)
    let roots = SIMD3(
      l + 0.396_337_777_4 * a + 0.215_803_757_3 * b,
      l - 0.105_561_345_8 * a - 0.063_854_172_8 * b,
      l - 0.089_484_177_5 * a - 1.291_485_548_0 * b)
    let cones = roots * roots * roots
    return SIMD3(
      dot(cones, SIMD3(4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2)),
      dot(cones, SIMD3(-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5)),
      dot(cones, SIMD3(-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701_0)))
  }

  /// The columns of a 3×3 matrix.
  typealias Columns = (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  /// The matrix from linear sRGB to the responses of the long, medium and short cones.
  @inline(__always)
  static var conesOfLight: Columns {
    (
      SIMD3(0.412_221_470_8, 0.211_903_498_2, 0.088_302_461_9),
      SIMD3(0.536_332_536_3, 0.680_699_545_1, 0.281_718_837_6),
      SIMD3(0.051_445_992_9, 0.107_396_956_6, 0.629_978_700_5)
    )
  }

  /// The matrix from the cube roots of cone responses to OKLab components.
  @inline(__always)
  static var componentsOfRoots: Columns {
    (
      SIMD3(0.210_454_255_3, 1.977_998_495_1, 0.025_904_037_1),
      SIMD3(0.793_617_785_0, -2.428_592_205_0, 0.782_771_766_2),
      SIMD3(-0.004_072_046_8, 0.450_593_709_9, -0.808_675_766_0)
    )
  }

  @inline(__always)
  static func product(_ matrix: Columns, _ vector: SIMD3<Float>) -> SIMD3<Float> {
    matrix.0 * vector.x + matrix.1 * vector.y + matrix.2 * vector.z
  }

  @inline(__always)
  static func transposed(_ matrix: Columns) -> Columns {
    let (x, y, z) = matrix
    return (SIMD3(x.x, y.x, z.x), SIMD3(x.y, y.y, z.y), SIMD3(x.z, y.z, z.z))
  }

  /// Returns the Euclidean distance; a distance of about 0.02 is just noticeable.
  func distance(to other: Oklab) -> Float {
    let difference = components - other.components
    return dot(difference, difference).squareRoot()
  }
}

/// Fast OKLab conversions for searches, within 0.0001 of the exact results.
enum FastOklab {
  /// Returns the OKLab components of a linear color without negative channels, and the cube roots of its cone
  /// responses.
  @inline(__always)
  static func components(
    linear color: SIMD3<Float>
  ) -> (components: SIMD3<Float>, coneRoots: SIMD3<Float>) {
    let roots = cubeRoots(SIMD4(Oklab.product(Oklab.conesOfLight, color), 0)).xyz
    return (Oklab.product(Oklab.componentsOfRoots, roots), roots)
  }

  /// Returns the derivatives of OKLab components with respect to each channel of a color.
  ///
  /// - Parameters:
  ///   - coneRoots: The cube roots of the color's cone responses.
  ///   - slope: The derivative of linear light with respect to each channel.
  ///   - minimumSquare: The lower bound for squared cone roots. The derivative of a cube root is unbounded at zero,
  ///     which would make the steps of a fit too small.
  /// - Returns: The derivatives with respect to red, green and blue.
  @inline(__always)
  static func derivatives(
    coneRoots: SIMD3<Float>, slope: SIMD3<Float>, minimumSquare: Float
  ) -> (red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>) {
    let squares = coneRoots * coneRoots
    let rates = 1 / (3 * squares.replacing(with: minimumSquare, where: squares .< minimumSquare))
    let (cones, matrix) = (Oklab.conesOfLight, Oklab.componentsOfRoots)
    return (
      Oklab.product(matrix, rates * cones.0 * slope.x),
      Oklab.product(matrix, rates * cones.1 * slope.y),
      Oklab.product(matrix, rates * cones.2 * slope.z)
    )
  }

  /// Approximates the linear light of encoded values in 0...1 to within 0.00003 by a polynomial of degree 5.
  @inline(__always)
  static func light(ofEncoded encoded: SIMD4<Float>) -> SIMD4<Float> {
    var light = encoded * 0.056_241_91 - 0.231_937_52
    light = light * encoded + 0.602_765_06
    light = light * encoded + 0.542_298_00
    light = light * encoded + 0.029_614_86
    light = light * encoded + 0.001_033_20
    let linear = encoded * (1 / 12.92)
    return light.replacing(with: linear, where: encoded .<= SIMD4(repeating: 0.040_45))
  }

  /// Returns the derivative of ``light(ofEncoded:)``.
  @inline(__always)
  static func lightRate(ofEncoded encoded: SIMD4<Float>) -> SIMD4<Float> {
    var rate = encoded * (5 * 0.056_241_91) - 4 * 0.231_937_52
    rate = rate * encoded + 3 * 0.602_765_06
    rate = rate * encoded + 2 * 0.542_298_00
    rate = rate * encoded + 0.029_614_86
    return rate.replacing(
      with: SIMD4(repeating: 1 / 12.92), where: encoded .<= SIMD4(repeating: 0.040_45))
  }

  /// Approximates the square roots of nonnegative numbers: an estimate from the exponent, refined by two Heron steps.
  ///
  /// The standard library computes the roots one by one, which is slower.
  @inline(__always)
  static func squareRoots(_ values: SIMD4<Float>) -> SIMD4<Float> {
    var bits = unsafe unsafeBitCast(values, to: SIMD4<UInt32>.self) &>> 1
    bits &+= SIMD4<UInt32>(repeating: 0x1fbd_1df5)
    let estimate = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    let root = (estimate + values / estimate) * 0.5
    return (root + values / root) * 0.5
  }

  /// Approximates the cube roots of nonnegative numbers by an estimate from the exponent and one Halley step.
  @inline(__always)
  static func cubeRoots(_ values: SIMD4<Float>) -> SIMD4<Float> {
    let values = values + 1e-9
    // Divides the bits by 3: 1/3 = 1/4 + 1/16 + 1/64 + …
    var bits = unsafe unsafeBitCast(values, to: SIMD4<UInt32>.self) &>> 2
    bits &+= bits &>> 2
    bits &+= bits &>> 4
    bits &+= bits &>> 8
    bits &+= SIMD4<UInt32>(repeating: 0x2a51_37a0)
    let estimate = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    let cube = estimate * estimate * estimate
    return estimate * (cube + values + values) / (cube + cube + values)
  }
}
