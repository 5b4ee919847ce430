/// The cosine transform of an opaque image in another order than the published algorithm has it, which takes a
/// fraction of its operations.
///
/// The terms differ from the published ones by rounding errors alone.
struct ThumbHashTransform {
  /// The terms of a channel, by their frequency down; the lanes are the frequencies across.
  typealias Terms = [SIMD8<Double>]

  private(set) var lightness = Terms(repeating: .zero, count: 7)
  /// Of the other two, frequencies up to 2 are known.
  private(set) var yellow = Terms(repeating: .zero, count: 3)
  private(set) var red = Terms(repeating: .zero, count: 3)

  /// Transforms an image of at most 100 pixels a side.
  init(_ bitmap: Bitmap) {
    let columns = Self.cosines(length: bitmap.width)
    let rows = Self.cosines(length: bitmap.height)
    let unit = 1 / Double(bitmap.width * bitmap.height * 255)
    unsafe bitmap.samples.withUnsafeBufferPointer { samples in
      unsafe columns.withUnsafeBufferPointer { columns in
        var sample = 0
        for row in rows {
          var (light, sides) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
          for index in 0..<columns.count {
            let column = unsafe columns[index]
            let (r, g, b) = unsafe (
              Int32(samples[sample]), Int32(samples[sample &+ 1]), Int32(samples[sample &+ 2])
            )
            sample &+= 3
            light += Double(r &+ g &+ b) * column
            // Both differences, by the same four cosines.
            let narrow = column.lowHalf
            sides += SIMD8(
              lowHalf: Double(r &+ g &- 2 &* b) * narrow, highHalf: Double(r &- g) * narrow)
          }
          let factors = row * unit
          for frequency in 0..<7 { lightness[frequency] += light * (factors[frequency] / 3) }
          for frequency in 0..<3 {
            yellow[frequency].lowHalf += sides.lowHalf * (factors[frequency] / 2)
            red[frequency].lowHalf += sides.highHalf * factors[frequency]
          }
        }
      }
    }
  }

  /// The cosines of the frequencies 0 to 6 at the center of each pixel, within rounding errors.
  ///
  /// `cos nθ = 2 cos θ · cos (n-1)θ - cos (n-2)θ`.
  static func cosines(length: Int) -> [SIMD8<Double>] {
    (0..<length).map { position in
      let first = Math.cosine(Double.pi / Double(length) * (Double(position) + 0.5))
      var cosines = SIMD8<Double>(1, first, 0, 0, 0, 0, 0, 0)
      for frequency in 2..<7 {
        cosines[frequency] = 2 * first * cosines[frequency - 1] - cosines[frequency - 2]
      }
      return cosines
    }
  }
}
