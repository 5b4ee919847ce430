extension GridAccumulator {
  /// Returns the light of a pixel, not weighted by alpha; the fourth lane is zero.
  @inline(__always)
  static func light(
    of row: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ layout: SampleLayout,
    _ light: UnsafeBufferPointer<Float>
  ) -> SIMD4<Float> {
    let sample = pixel &* layout.count
    let red = unsafe light[Int(row[sample])]
    guard layout.count > 2 else { return SIMD4(red, red, red, 0) }
    return unsafe SIMD4(
      red, light[256 &+ Int(row[sample &+ 1])], light[512 &+ Int(row[sample &+ 2])], 0)
  }

  /// Returns the mean light of pixels without alpha.
  ///
  /// The sum is below 2^63, so it is converted as a signed integer, which is faster.
  @inline(__always)
  static func mean(_ sum: UInt64, of pixelCount: Int) -> Float {
    Float(Double(Int64(bitPattern: sum)) / (Double(pixelCount) * TransferCurves.unit))
  }

  /// Returns the sums of red, green and blue light and of alpha over a range of pixels in a row.
  ///
  /// Light is weighted by alpha. Without alpha, the fourth lane is zero.
  @inline(__always)
  static func sum(
    of row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ layout: SampleLayout,
    _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    switch layout {
    case .gray: unsafe sumGray(row, pixels, light)
    case .grayAlpha: unsafe sumGrayAlpha(row, pixels, light)
    case .rgb, .cmyk: unsafe sumRGB(row, pixels, light)
    case .rgba: unsafe sumRGBA(row, pixels, light)
    }
  }

  @inline(__always)
  private static func sumGray(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var sum: UInt64 = 0
    for pixel in pixels { unsafe sum &+= light[Int(row[pixel])] }
    return SIMD4(sum, sum, sum, 0)
  }

  @inline(__always)
  private static func sumGrayAlpha(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var sum: UInt64 = 0
    var alphas: UInt64 = 0
    for pixel in pixels {
      let alpha = unsafe UInt64(row[pixel &* 2 &+ 1])
      unsafe sum &+= alpha &* light[Int(row[pixel &* 2])]
      alphas &+= alpha
    }
    return SIMD4(sum, sum, sum, alphas)
  }

  @inline(__always)
  private static func sumRGB(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var sample = pixels.lowerBound &* 3
    let end = pixels.upperBound &* 3
    while sample < end {
      unsafe red &+= light[Int(row[sample])]
      unsafe green &+= light[256 &+ Int(row[sample &+ 1])]
      unsafe blue &+= light[512 &+ Int(row[sample &+ 2])]
      sample &+= 3
    }
    return SIMD4(red, green, blue, 0)
  }

  @inline(__always)
  private static func sumRGBA(
    _ row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ light: UnsafeBufferPointer<UInt64>
  ) -> SIMD4<UInt64> {
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    var alphas: UInt64 = 0
    var sample = pixels.lowerBound &* 4
    let end = pixels.upperBound &* 4
    while sample < end {
      let alpha = unsafe UInt64(row[sample &+ 3])
      unsafe red &+= alpha &* light[Int(row[sample])]
      unsafe green &+= alpha &* light[256 &+ Int(row[sample &+ 1])]
      unsafe blue &+= alpha &* light[512 &+ Int(row[sample &+ 2])]
      alphas &+= alpha
      sample &+= 4
    }
    return SIMD4(red, green, blue, alphas)
  }
}
