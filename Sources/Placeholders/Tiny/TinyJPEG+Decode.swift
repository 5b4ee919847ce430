extension TinyJPEG {
  /// Renders the picture as browsers do: decoded, then enlarged bilinearly.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  /// - Returns: The pixels. At the picture's own size, samples differ from those of libjpeg-turbo by at most 3.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    let pixels = pixels
    let columns = LinearTap.all(from: Self.side, to: width)
    let rows = LinearTap.all(from: Self.side, to: height)
    let quads = PixelQuad.lanes(width: width) { Float(min($0, width - 1)) }
    return RGBABitmap(width: width, height: height) { y in
      let row = rows[y]
      let (first, second) = (row.first * Self.side, row.second * Self.side)
      return (0..<Self.side).map { row.mix(pixels[first + $0], pixels[second + $0]) }
    } quad: { row, quad in
      var (red, green, blue) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
      for lane in 0..<4 {
        let tap = columns[Int(quads[quad][lane])]
        let color = tap.mix(row[tap.first], row[tap.second])
        (red[lane], green[lane], blue[lane]) = (color.x, color.y, color.z)
      }
      return PixelQuad(encodedRed: red, green: green, blue: blue)
    }
  }

  /// The pixels of the picture, row-major: encoded sRGB in 0...1, rounded to 8-bit samples; the fourth lanes are zero.
  private var pixels: [SIMD4<Float>] {
    let planes = TinyTables.steps.enumerated().map { component, steps in
      let values = coefficients.values[component * 64..<(component + 1) * 64]
      return TinyTransform.samples(zip(values, steps).map { Float($0) * Float($1) })
        .map { max(0, min(255, ($0 + 128).rounded())) }
    }
    return (0..<64).map { pixel in
      let color = clamped(
        TinyTransform.color(
          luma: planes[0][pixel], cb: planes[1][pixel] - 128, cr: planes[2][pixel] - 128),
        to: SIMD3(repeating: 255))
      return SIMD4(
        color.x.rounded() / 255, color.y.rounded() / 255, color.z.rounded() / 255, 0)
    }
  }
}

/// The two samples from which an enlarged sample is interpolated.
struct LinearTap: Sendable {
  let first: Int
  let second: Int

  /// The share of the second sample.
  let share: Float

  /// Interpolates between two colors.
  @inline(__always)
  func mix(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> SIMD4<Float> {
    one + (other - one) * share
  }

  /// Returns the taps that enlarge `count` samples to `length` samples; the outermost samples extend to the edges.
  static func all(from count: Int, to length: Int) -> [LinearTap] {
    (0..<length).map { place in
      let position = (Float(place) + 0.5) * Float(count) / Float(length) - 0.5
      let clamped = max(0, min(Float(count - 1), position))
      let first = Int(clamped)
      return LinearTap(
        first: first, second: min(count - 1, first + 1), share: clamped - Float(first))
    }
  }
}

/// The inverse cosine transform of a block, and the conversion from YCbCr.
enum TinyTransform {
  /// The cosines of each frequency at the sample centers, scaled so that the transform is orthonormal.
  ///
  /// Source: ITU-T T.81, A.3.3.
  static let basis: [[Float]] = (0..<8).map { frequency in
    let scale = frequency == 0 ? 0.125.squareRoot() : 0.5
    return (0..<8).map { sample in
      Float(scale * PortableMath.cosine(Double((2 * sample + 1) * frequency) * .pi / 16))
    }
  }

  /// Returns the samples of a block from its coefficients in zigzag order; zero is the middle of their range.
  static func samples(_ coefficients: [Float]) -> [Float] {
    var samples = [Float](repeating: 0, count: 64)
    for (coefficient, frequency) in zip(coefficients, TinyTables.zigzag) where coefficient != 0 {
      add(coefficient, frequency, to: &samples)
    }
    return samples
  }

  /// Adds the basis function of a frequency, multiplied by the coefficient, to the samples of a block.
  static func add(_ coefficient: Float, _ frequency: Int, to samples: inout [Float]) {
    let (row, column) = (basis[frequency / 8], basis[frequency % 8])
    for y in 0..<8 {
      for x in 0..<8 { samples[y * 8 + x] += coefficient * row[y] * column[x] }
    }
  }

  /// Converts a YCbCr color to red, green and blue, which can be outside 0...255; gray has zero `cb` and `cr`.
  ///
  /// Source: JFIF 1.02, "Conversion to and from RGB".
  @inline(__always)
  static func color(luma: Float, cb: Float, cr: Float) -> SIMD3<Float> {
    SIMD3(luma + 1.402 * cr, luma - 0.344_136 * cb - 0.714_136 * cr, luma + 1.772 * cb)
  }
}
