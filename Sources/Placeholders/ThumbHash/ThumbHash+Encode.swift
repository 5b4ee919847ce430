extension ThumbHash {
  /// The maximum side, in pixels, of an image that is hashed at full size.
  private static let maximumSide = 100
  /// The long side, in pixels, of the thumbnail of a larger image: five pixels per half wave of the highest frequency.
  private static let thumbnailSide = 32

  /// Encodes an image.
  ///
  /// The hash equals that of the published algorithm if no side exceeds 100 pixels, except where the last bit of a cosine
  /// decides how a value is rounded. A larger image is
  /// first averaged in linear light, to 32 pixels on its long side. The thumbnail of a browser, which averages encoded
  /// samples, is slightly darker.
  ///
  /// - Parameter grid: The image.
  /// - Complexity: O(cells), plus about 100,000 operations.
  public init(encoding grid: PixelGrid) {
    let longSide = max(grid.sourceWidth, grid.sourceHeight)
    self.init(
      hashing: grid.bitmap(longSide: longSide <= Self.maximumSide ? longSide : Self.thumbnailSide))
  }

  /// Hashes pixels as the published algorithm does, rounding halves up.
  ///
  /// In a flat channel, the scale rounds to zero and the digits only reflect rounding errors. They match those of the
  /// published encoder if its platform rounds cosines correctly, as glibc does.
  ///
  /// - Parameter bitmap: An image of at most 100 pixels per side.
  /// - Complexity: O(pixels).
  init(hashing bitmap: RGBABitmap) {
    let (width, height) = (bitmap.width, bitmap.height)
    let hasAlpha = !bitmap.isOpaque
    let longSide = Double(max(width, height))
    let limit: Double = hasAlpha ? 5 : 7
    let x = max(1, Self.rounded(limit * Double(width) / longSide))
    let y = max(1, Self.rounded(limit * Double(height) / longSide))
    let isLandscape = width > height
    let lightnessTerms = TriangularTerms(x: max(3, x), y: max(3, y))
    let pixels = Self.channels(of: bitmap)
    let columns = Self.cosines(length: width)
    let rows = Self.cosines(length: height)
    func spectrum(_ channel: Int, _ terms: TriangularTerms) -> ThumbHashSpectrum {
      ThumbHashSpectrum(of: pixels, channel: channel, terms, columns: columns, rows: rows)
    }
    let lightness = spectrum(0, lightnessTerms)
    let yellow = spectrum(1, .color)
    let red = spectrum(2, .color)

    let header =
      Self.rounded(63 * lightness.average) | Self.rounded(31.5 + 31.5 * yellow.average) << 6
      | Self.rounded(31.5 + 31.5 * red.average) << 12 | Self.rounded(31 * lightness.scale) << 18
      | (hasAlpha ? 1 << 23 : 0)
    let shape =
      (isLandscape ? y : x) | Self.rounded(63 * yellow.scale) << 3
      | Self.rounded(63 * red.scale) << 9 | (isLandscape ? 1 << 15 : 0)
    var bytes = [header, header >> 8, header >> 16, shape, shape >> 8]
      .map { UInt8(truncatingIfNeeded: $0) }
    var digits = lightness.digits + yellow.digits + red.digits
    if hasAlpha {
      let alpha = spectrum(3, .alpha)
      bytes.append(UInt8(Self.rounded(15 * alpha.average) | Self.rounded(15 * alpha.scale) << 4))
      digits += alpha.digits
    }
    for index in stride(from: 0, to: digits.count, by: 2) {
      bytes.append(digits[index] | (index + 1 < digits.count ? digits[index + 1] << 4 : 0))
    }
    self.init(unchecked: bytes)
  }

  /// Returns the channels of each pixel; transparent pixels are blended with the average color.
  ///
  /// The lanes are lightness, the mean of red, green and blue; yellow, the mean of red and green, minus blue; red minus
  /// green; and alpha.
  private static func channels(of bitmap: RGBABitmap) -> [SIMD4<Double>] {
    let colors = stride(from: 0, to: bitmap.pixels.count, by: 4).map { first -> SIMD4<Double> in
      let samples = bitmap.pixels[first..<first + 4]
      return SIMD4(SIMD4<UInt8>(samples))
    }
    var average = SIMD4<Double>.zero
    var total = 0.0
    for color in colors {
      average += color.w / 255 / 255 * color
      total += color.w / 255
    }
    if total > 0 { average /= SIMD4(repeating: total) }
    return colors.map { samples -> SIMD4<Double> in
      let alpha = samples.w / 255
      let color = average * (1 - alpha) + alpha / 255 * samples
      let redAndGreen = color.x + color.y
      let yellow = redAndGreen / 2 - color.z
      return SIMD4((redAndGreen + color.z) / 3, yellow, color.x - color.y, alpha)
    }
  }

  /// Returns the nearest integer; halves are rounded up.
  static func rounded(_ value: Double) -> Int {
    Int((value + 0.5).rounded(.down))
  }

  /// Returns the cosines of the frequencies 0 to 6 at the center of each pixel.
  static func cosines(length: Int) -> [SIMD8<Double>] {
    (0..<length).map { position in
      var cosines = SIMD8<Double>.zero
      cosines[0] = 1
      for frequency in 1..<7 {
        cosines[frequency] = NearestCosine.cosine(
          Double.pi / Double(length) * Double(frequency) * (Double(position) + 0.5))
      }
      return cosines
    }
  }
}
