/// The channels that a ThumbHash is made of, a value a pixel, with transparent pixels over the average.
struct ThumbHashPlanes {
  /// The mean of the three samples, 0...1.
  private(set) var lightness: [Double] = []
  /// How much red and green are above blue.
  private(set) var yellow: [Double] = []
  /// How much red is above green.
  private(set) var red: [Double] = []
  private(set) var alpha: [Double] = []

  /// Takes an image apart.
  init(_ bitmap: Bitmap) {
    let count = bitmap.width * bitmap.height
    alpha =
      bitmap.alphas.isEmpty
      ? Array(repeating: 1, count: count) : bitmap.alphas.map { Double($0) / 255 }
    var average = SIMD3<Double>.zero
    var total = 0.0
    for pixel in 0..<count {
      average += alpha[pixel] / 255 * Self.color(bitmap, pixel)
      total += alpha[pixel]
    }
    if total > 0 { average /= SIMD3(repeating: total) }
    lightness.reserveCapacity(count)
    yellow.reserveCapacity(count)
    red.reserveCapacity(count)
    for pixel in 0..<count {
      let color =
        average * (1 - alpha[pixel]) + alpha[pixel] / 255 * Self.color(bitmap, pixel)
      lightness.append((color.x + color.y + color.z) / 3)
      yellow.append((color.x + color.y) / 2 - color.z)
      red.append(color.x - color.y)
    }
  }

  private static func color(_ bitmap: Bitmap, _ pixel: Int) -> SIMD3<Double> {
    let first = pixel * 3
    return SIMD3(
      Double(bitmap.samples[first]), Double(bitmap.samples[first + 1]),
      Double(bitmap.samples[first + 2]))
  }
}
