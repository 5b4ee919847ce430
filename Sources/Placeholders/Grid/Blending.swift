/// Blends pixels with a background in encoded sRGB, as browsers do.
///
/// A cell averages light. The blended light of a half-transparent pixel differs from that average of its own
/// light and the background's, so the cell adds the difference.
struct Blending {
  private static let light = TransferCurves.sRGB.light

  /// Three tables: the sRGB sample of each sample of the image, without the matrix.
  private let samples: [UInt8]

  /// The light of each sample, where a matrix mixes the channels; else empty.
  private let light: [Float]
  private let matrix: ColorMatrix?
  private let background: SIMD3<UInt8>

  init(curves: TransferCurves, matrix: ColorMatrix?, background: SRGBColor) {
    let light = curves.light.map { Float(Double($0) / TransferCurves.unit) }
    samples = matrix == nil ? light.map { SRGBEncoder.shared.sample(of: $0) } : []
    self.light = matrix == nil ? [] : light
    self.matrix = matrix
    self.background = SIMD3(background.red, background.green, background.blue)
  }

  /// The light gained by some pixels of a row in blending, times 255.
  ///
  /// A pixel gains or loses at most 0.3 of full light, so 2^21 of them fit into 63 bits.
  func shift(
    of row: UnsafeBufferPointer<UInt8>, _ pixels: Range<Int>, _ layout: SampleLayout
  ) -> SIMD3<Int64> {
    var (red, green, blue) = (Int64(0), Int64(0), Int64(0))
    unsafe Self.light.withUnsafeBufferPointer { light in
      /// The light that a channel gains, times 255.
      @inline(__always)
      func gain(_ front: UInt8, over back: UInt8, _ alpha: Int) -> Int64 {
        let (front, back) = (Int(front), Int(back))
        let blended = (front &* alpha &+ back &* (255 &- alpha) &+ 127) / 255
        return unsafe 255 &* Int64(light[blended]) &- Int64(alpha) &* Int64(light[front])
          &- Int64(255 &- alpha) &* Int64(light[back])
      }
      for pixel in pixels {
        let first = pixel &* layout.count
        let alpha = unsafe Int(row[first &+ layout.count &- 1])
        guard 0 < alpha && alpha < 255 else { continue }
        let color = unsafe color(of: row, first, layout)
        red &+= gain(color.x, over: background.x, alpha)
        green &+= gain(color.y, over: background.y, alpha)
        blue &+= gain(color.z, over: background.z, alpha)
      }
    }
    return SIMD3(red, green, blue)
  }

  /// The sRGB samples of the pixel with a given first sample.
  @inline(__always)
  private func color(
    of row: UnsafeBufferPointer<UInt8>, _ first: Int, _ layout: SampleLayout
  ) -> SIMD3<UInt8> {
    let step = layout == .rgba ? 1 : 0
    let places = unsafe SIMD3(
      Int(row[first]), 256 &+ Int(row[first &+ step]), 512 &+ Int(row[first &+ 2 &* step]))
    guard let matrix else { return SIMD3(samples[places.x], samples[places.y], samples[places.z]) }
    return SRGBEncoder.shared.samples(
      ofLinear: matrix(SIMD4(light[places.x], light[places.y], light[places.z], 0)).xyz)
  }
}
