/// Blends pixels with a background in encoded sRGB, as browsers do.
///
/// A cell averages linear light. Blending each pixel in encoded sRGB yields different light from blending the cell's
/// mean. The difference, called the shift, is added to the cell.
struct Blending {
  private static let light = TransferCurves.sRGB.light

  /// The sRGB sample for each source sample, in one table per channel; empty if a matrix is applied.
  private let samples: [UInt8]

  /// The linear light of each source sample: the input of the matrix.
  private let light: [Float]
  private let matrix: ColorMatrix?
  private let background: SIMD3<UInt8>

  init(curves: TransferCurves, matrix: ColorMatrix?, background: SRGBColor) {
    if matrix == nil && curves == .sRGB {
      samples = curves.light.indices.map { UInt8(truncatingIfNeeded: $0) }
      light = []
    } else {
      light = curves.light.map { Float(Double($0) / TransferCurves.unit) }
      samples = matrix == nil ? light.map { SRGBEncoder.shared.sample(of: $0) } : []
    }
    self.matrix = matrix
    self.background = SIMD3(background.red, background.green, background.blue)
  }

  /// Returns the sum of the shifts of a range of pixels in a row, times 255.
  ///
  /// A pixel gains or loses at most 0.3 of full light, so the sum of 2^21 pixels fits in 63 bits. Intermediate sums can
  /// wrap around.
  func shift(
    of row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ layout: SampleLayout
  ) -> SIMD3<Int64> {
    unsafe Self.light.withUnsafeBufferPointer { light in
      var (red, green, blue, transparency) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      /// Returns the light of the blended sample times 255, minus the light of the front sample times alpha.
      @inline(__always)
      func gain(_ front: UInt8, _ back: UInt8, _ alpha: UInt8) -> UInt64 {
        let blended = Int(Self.blended(front, back, alpha))
        return unsafe 255 &* light[blended] &- UInt64(alpha) &* light[Int(front)]
      }
      for pixel in pixels {
        let alpha = unsafe row[(pixel &+ 1) &* layout.count &- 1]
        guard 0 < alpha && alpha < 255 else { continue }
        let front = unsafe color(of: row, pixel, layout)
        red &+= gain(front.x, background.x, alpha)
        green &+= gain(front.y, background.y, alpha)
        blue &+= gain(front.z, background.z, alpha)
        transparency &+= UInt64(255 &- alpha)
      }
      unsafe red &-= transparency &* light[Int(background.x)]
      unsafe green &-= transparency &* light[Int(background.y)]
      unsafe blue &-= transparency &* light[Int(background.z)]
      return SIMD3(
        Int64(bitPattern: red), Int64(bitPattern: green), Int64(bitPattern: blue))
    }
  }

  /// Returns the linear sRGB color of a pixel blended with the background.
  @inline(__always)
  func light(
    of row: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ layout: SampleLayout, alpha: UInt8
  ) -> SIMD4<Float> {
    let front = unsafe color(of: row, pixel, layout)
    return unsafe SRGB.linear.withUnsafeBufferPointer { light in
      unsafe SIMD4(
        light[Int(Self.blended(front.x, background.x, alpha))],
        light[Int(Self.blended(front.y, background.y, alpha))],
        light[Int(Self.blended(front.z, background.z, alpha))], 0)
    }
  }

  /// Returns the mean of two samples, weighted by alpha and rounded to the nearest integer.
  @inline(__always)
  private static func blended(_ front: UInt8, _ back: UInt8, _ alpha: UInt8) -> UInt32 {
    let weight = UInt32(alpha)
    let sum = UInt32(front) &* weight &+ UInt32(back) &* (255 &- weight) &+ 128
    // With the bias of 128, equals the rounded division by 255.
    return (sum &+ sum &>> 8) &>> 8
  }

  @inline(__always)
  private func color(
    of row: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ layout: SampleLayout
  ) -> SIMD3<UInt8> {
    let first = pixel &* layout.count
    let step = layout == .rgba ? 1 : 0
    let (red, green, blue) = unsafe (
      Int(row[first]), 256 &+ Int(row[first &+ step]), 512 &+ Int(row[first &+ 2 &* step])
    )
    guard let matrix else { return SIMD3(samples[red], samples[green], samples[blue]) }
    return SRGB.samples(ofLinear: matrix(SIMD4(light[red], light[green], light[blue], 0)).xyz)
  }
}
