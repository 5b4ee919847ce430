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
    return RGBABitmap(width: width, height: height) { y in
      let row = rows[y]
      let (first, second) = (row.first * Self.side, row.second * Self.side)
      return (0..<Self.side).map { row.mix(pixels[first + $0], pixels[second + $0]) }
    } quad: { row, quad in
      var (red, green, blue) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
      for lane in 0..<4 {
        let tap = columns[min(4 * quad + lane, width - 1)]
        let color = tap.mix(row[tap.first], row[tap.second])
        (red[lane], green[lane], blue[lane]) = (color.x, color.y, color.z)
      }
      return PixelQuad(encodedRed: red, green: green, blue: blue)
    }
  }

  /// The pixels of the picture, row-major: encoded sRGB in 0...1, rounded to 8-bit samples; the fourth lanes are zero.
  private var pixels: [SIMD4<Float>] {
    coefficients.samples.map { samples in
      let middle = SIMD4<Float>(128, 128, 128, 0)
      let rounded = clamped(
        (samples + middle).rounded(.toNearestOrAwayFromZero), to: SIMD4(repeating: 255))
      let color = clamped(
        TinyTransform.color(rounded - SIMD4(0, 128, 128, 0)), to: SIMD3(repeating: 255))
      return SIMD4(color.rounded(.toNearestOrAwayFromZero) / 255, 0)
    }
  }
}

/// The two samples from which an enlarged sample is interpolated.
struct LinearTap: Sendable {
  let first: Int
  let second: Int

  /// The share of the second sample.
  let share: Float

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

extension TinyJPEG: DrawnPlaceholder {}
