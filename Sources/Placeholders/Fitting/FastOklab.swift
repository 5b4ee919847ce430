/// Conversions to OKLab as fast as a search needs them, within 0.0001 of the exact ones.
enum FastOklab {
  /// OKLab of a linear color without negative channels, and the cube roots of its cones' responses.
  @inline(__always)
  static func components(
    linear color: SIMD3<Float>
  ) -> (components: SIMD3<Float>, coneRoots: SIMD3<Float>) {
    let cones =
      Oklab.conesOfRed * color.x + Oklab.conesOfGreen * color.y + Oklab.conesOfBlue * color.z
    let four = cubeRoots(SIMD4(cones, 0))
    let roots = SIMD3(four.x, four.y, four.z)
    return (Oklab(coneRoots: roots).components, roots)
  }

  /// How OKLab changes with each channel of a color.
  ///
  /// - Parameters:
  ///   - coneRoots: The color.
  ///   - slope: How fast the light of each channel changes.
  ///   - leastSquare: The least squared root that is used: the derivative of a cube root is unbounded at
  ///     zero, and steps would become too small.
  /// - Returns: The derivative by red, by green and by blue.
  @inline(__always)
  static func derivatives(
    coneRoots: SIMD3<Float>, slope: SIMD3<Float>, leastSquare: Float
  ) -> (red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>) {
    let squares = coneRoots * coneRoots
    let rates = 1 / (3 * squares.replacing(with: leastSquare, where: squares .< leastSquare))
    return (
      Oklab(coneRoots: rates * Oklab.conesOfRed * slope.x).components,
      Oklab(coneRoots: rates * Oklab.conesOfGreen * slope.y).components,
      Oklab(coneRoots: rates * Oklab.conesOfBlue * slope.z).components
    )
  }

  /// Linear light of an encoded color within 0...1, and how fast it grows with it.
  @inline(__always)
  static func light(
    ofEncoded color: SIMD3<Float>
  ) -> (light: SIMD3<Float>, slope: SIMD3<Float>) {
    let position = color * 255
    let sample = SIMD3<Int>(
      min(254, Int(position.x)), min(254, Int(position.y)), min(254, Int(position.z)))
    let table = SRGB.linear
    let lower = SIMD3(table[sample.x], table[sample.y], table[sample.z])
    let upper = SIMD3(table[sample.x + 1], table[sample.y + 1], table[sample.z + 1])
    let beyond = position - SIMD3(Float(sample.x), Float(sample.y), Float(sample.z))
    return (lower + (upper - lower) * beyond, (upper - lower) * 255)
  }

  /// Linear light of encoded light in 0...1, within 0.00003: the best polynomial of its degree.
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

  /// Square roots of numbers that are not negative: a guess from the exponent, and two steps of Heron's.
  ///
  /// The standard library takes them one by one.
  @inline(__always)
  static func squareRoots(_ values: SIMD4<Float>) -> SIMD4<Float> {
    var bits = unsafe unsafeBitCast(values, to: SIMD4<UInt32>.self) &>> 1
    bits &+= SIMD4<UInt32>(repeating: 0x1fbd_1df5)
    let guess = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    let root = (guess + values / guess) * 0.5
    return (root + values / root) * 0.5
  }

  /// Cube roots of numbers that are not negative: a guess from the exponent, and a step of Halley's.
  @inline(__always)
  static func cubeRoots(_ values: SIMD4<Float>) -> SIMD4<Float> {
    let values = values + 1e-9
    // A third of the bits: a quarter, and what the geometric series adds to it.
    var bits = unsafe unsafeBitCast(values, to: SIMD4<UInt32>.self) &>> 2
    bits &+= bits &>> 2
    bits &+= bits &>> 4
    bits &+= bits &>> 8
    bits &+= SIMD4<UInt32>(repeating: 0x2a51_37a0)
    let guess = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    let cube = guess * guess * guess
    return guess * (cube + values + values) / (cube + cube + values)
  }
}
