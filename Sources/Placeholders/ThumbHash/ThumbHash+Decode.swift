extension ThumbHash {
  /// The long side, in pixels, of the published decoder's preview.
  private static let previewSide = 32

  /// The size of the published decoder's preview: 32 pixels on the long side, with the proportions given
  /// by ``aspectRatio``.
  public var bitmapSize: (width: Int, height: Int) {
    let side = Double(Self.previewSide)
    return aspectRatio > 1
      ? (Self.previewSide, Self.rounded(side / aspectRatio))
      : (Self.rounded(side * aspectRatio), Self.previewSide)
  }

  /// Renders the preview.
  ///
  /// The value of a channel at pixel (x, y) is `Σᵢ (Σⱼ termᵢⱼ · cos(πj(y + ½)/height)) · cos(πi(x + ½)/width)`. The
  /// sums over j are computed once per row.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  /// - Returns: Pixels whose samples differ by at most 1 from those of the published decoder.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    let channels = channels
    let rows = Self.cosines(length: height)
    let cosines = Self.cosines(length: width)
    let quadCount = PixelQuad.count(width: width)
    let columns = (0..<7).flatMap { frequency in
      PixelQuad.lanes(width: width) { cosines[min($0, width - 1)][frequency] }
    }
    return RGBABitmap(width: width, height: height) { y in
      // For each horizontal frequency, the sum of its terms weighted by the vertical cosines of the row.
      channels.map { terms in
        terms.indices.reduce(SIMD8<Double>.zero) { $0 + terms[$1] * rows[y][$1] }
      }
    } quad: { sums, quad in
      @inline(__always)
      func values(_ sums: SIMD8<Double>, count: Int) -> SIMD4<Double> {
        var values = SIMD4<Double>.zero
        for frequency in 0..<count {
          values += sums[frequency] * columns[frequency * quadCount + quad]
        }
        return values
      }
      return Self.pixels(
        lightness: values(sums[0], count: 7), yellow: values(sums[1], count: 3),
        red: values(sums[2], count: 3), alpha: hasAlpha ? values(sums[3], count: 5) : .one)
    }
  }

  /// The average color of the image, ignoring alpha.
  public var averageColor: SRGBColor {
    let averages = averages.map { SIMD4<Double>(repeating: $0) }
    let pixels = Self.pixels(
      lightness: averages[0], yellow: averages[1], red: averages[2], alpha: .one)
    return SRGBColor(red: pixels.red.x, green: pixels.green.x, blue: pixels.blue.x)
  }

  /// Returns the samples of four pixels, given their channels.
  @inline(__always)
  private static func pixels(
    lightness: SIMD4<Double>, yellow: SIMD4<Double>, red: SIMD4<Double>, alpha: SIMD4<Double>
  ) -> PixelQuad {
    let blue = lightness - 2 / 3.0 * yellow
    let redSample = (3 * lightness - blue + red) / 2
    return PixelQuad(
      red: samples(redSample), green: samples(redSample - red), blue: samples(blue),
      alpha: samples(alpha))
  }

  /// Converts values to 8-bit samples; values are clamped to 0...1, and halves are rounded up.
  @inline(__always)
  private static func samples(_ values: SIMD4<Double>) -> SIMD4<UInt8> {
    let clamped = values.replacing(with: 0, where: values .< 0)
      .replacing(with: 1, where: values .> 1)
    // Adding 2^22 makes the low 30 bits of the result the fraction.
    let fixed = clamped * 255 + 0.5 + 0x1p22
    return unsafe SIMD4(
      truncatingIfNeeded: unsafeBitCast(fixed, to: SIMD4<UInt64>.self) &>> 30)
  }

  /// The terms of lightness, yellow, red and alpha: a vector for each vertical frequency, with a lane for each
  /// horizontal frequency.
  private var channels: [[SIMD8<Double>]] {
    var digits = digits[...]
    // The published decoder boosts the saturation to compensate for the quantization. Without alpha, its scale is zero.
    let (boosts, averages, scales) = ([1, 1.25, 1.25, 1], averages, scales)
    return [lightnessTerms, .color, .color, .alpha].enumerated().map { channel, terms in
      var values = Array(repeating: SIMD8<Double>.zero, count: terms.y)
      values[0][0] = averages[channel]
      let scale = scales[channel] * boosts[channel]
      for (frequency, digit) in zip(terms.frequencies, digits) {
        values[frequency.y][frequency.x] = (Double(digit) / 7.5 - 1) * scale * 2
      }
      digits = digits.dropFirst(terms.count)
      return values
    }
  }

  private var header: Int { Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16 }

  private var shapeAndScales: Int { Int(bytes[3]) | Int(bytes[4]) << 8 }

  /// The averages of lightness, yellow, red and alpha.
  private var averages: [Double] {
    [
      Double(header & 63) / 63, Double(header >> 6 & 63) / 31.5 - 1,
      Double(header >> 12 & 63) / 31.5 - 1, hasAlpha ? Double(bytes[5] & 15) / 15 : 1,
    ]
  }

  /// The scales of lightness, yellow, red and alpha.
  private var scales: [Double] {
    [
      Double(header >> 18 & 31) / 31, Double(shapeAndScales >> 3 & 63) / 63,
      Double(shapeAndScales >> 9 & 63) / 63, hasAlpha ? Double(bytes[5] >> 4) / 15 : 0,
    ]
  }

  private var digits: [UInt8] {
    bytes.dropFirst(hasAlpha ? 6 : 5).flatMap { [$0 & 15, $0 >> 4] }
  }
}

extension ThumbHash: DrawnPlaceholder {
  package var previewRatio: (x: Int, y: Int) { (bitmapSize.width, bitmapSize.height) }
}
