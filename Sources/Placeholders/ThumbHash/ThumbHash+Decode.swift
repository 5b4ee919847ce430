extension ThumbHash {
  /// The side of the preview that the published decoder draws.
  private static let side = 32

  /// The size that the published decoder draws: 32 pixels on the long side, the other by the shape.
  public var bitmapSize: (width: Int, height: Int) {
    let side = Double(Self.side)
    return aspectRatio > 1
      ? (Self.side, Self.rounded(side / aspectRatio))
      : (Self.rounded(side * aspectRatio), Self.side)
  }

  /// Draws the preview.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  /// - Precondition: Both sides are positive.
  /// - Returns: The pixels of the published decoder, give or take one step, with alpha if the hash has it.
  /// - Complexity: O(`width` · `height`).
  public func bitmap(width: Int, height: Int) -> Bitmap {
    precondition(width > 0 && height > 0, "a bitmap has at least one pixel")
    var digits = self.digits[...]
    /// Colors are a little paler than they should be for most images, which the decoder makes good.
    let saturation = 1.25
    let lightness = terms(lightnessTerms, average: averages[0], scale: scales[0], &digits)
    let yellow = terms(.color, average: averages[1], scale: scales[1] * saturation, &digits)
    let red = terms(.color, average: averages[2], scale: scales[2] * saturation, &digits)
    let alpha = hasAlpha ? terms(.alpha, average: averages[3], scale: scales[3], &digits) : []

    let (columns, rows) = (Self.cosines(length: width), Self.cosines(length: height))
    func value(_ terms: [Term], _ x: Int, _ y: Int) -> Double {
      terms.reduce(0) { $0 + $1.value * columns[x][$1.x] * rows[y][$1.y] }
    }
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height * 3)
    var alphas: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let color = Self.color(
          lightness: value(lightness, x, y), yellow: value(yellow, x, y), red: value(red, x, y))
        samples += [color.red, color.green, color.blue]
        if hasAlpha { alphas.append(Self.sample(value(alpha, x, y))) }
      }
    }
    return Bitmap(width: width, height: height, samples: samples, alphas: alphas)
  }

  /// The mean color, without regard to alpha.
  public var averageColor: SRGBColor {
    Self.color(lightness: averages[0], yellow: averages[1], red: averages[2])
  }

  /// The color of three channels.
  private static func color(lightness: Double, yellow: Double, red: Double) -> SRGBColor {
    let blue = lightness - 2 / 3.0 * yellow
    let redSample = (3 * lightness - blue + red) / 2
    return SRGBColor(red: sample(redSample), green: sample(redSample - red), blue: sample(blue))
  }

  /// A term, with the frequency along each axis.
  private typealias Term = (x: Int, y: Int, value: Double)

  private static func sample(_ value: Double) -> UInt8 {
    UInt8(max(0, min(1, value)) * 255 + 0.5)
  }

  private var header: Int { Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16 }

  private var shapeAndScales: Int { Int(bytes[3]) | Int(bytes[4]) << 8 }

  /// Of lightness, yellow, red and alpha.
  private var averages: [Double] {
    [
      Double(header & 63) / 63, Double(header >> 6 & 63) / 31.5 - 1,
      Double(header >> 12 & 63) / 31.5 - 1, hasAlpha ? Double(bytes[5] & 15) / 15 : 1,
    ]
  }

  /// Of lightness, yellow, red and alpha.
  private var scales: [Double] {
    [
      Double(header >> 18 & 31) / 31, Double(shapeAndScales >> 3 & 63) / 63,
      Double(shapeAndScales >> 9 & 63) / 63, hasAlpha ? Double(bytes[5] >> 4) / 15 : 0,
    ]
  }

  private var digits: [UInt8] {
    bytes.dropFirst(hasAlpha ? 6 : 5).flatMap { [$0 & 15, $0 >> 4] }
  }

  /// A channel's average and its other terms, whose digits are taken from the front.
  private func terms(
    _ terms: TriangularTerms, average: Double, scale: Double, _ digits: inout ArraySlice<UInt8>
  ) -> [Term] {
    let values = digits.prefix(terms.count).map { (Double($0) / 7.5 - 1) * scale * 2 }
    digits = digits.dropFirst(terms.count)
    return [(0, 0, average)] + zip(terms.frequencies, values).map { ($0.x, $0.y, $1) }
  }
}
