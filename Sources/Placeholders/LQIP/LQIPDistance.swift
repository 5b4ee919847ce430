/// How far placeholders of one geometry are from an image: the mean distance in OKLab.
///
/// A search asks this some twenty times an image, so eight parts are computed side by side.
struct LQIPDistance: Sendable {
  /// A number for each of eight parts.
  private typealias Parts = SIMD8<Float>

  /// For each eight parts: the weight of each color.
  private let weights: [Parts]

  /// For each eight parts: the three components of their means, and their variance.
  private let image: [Parts]

  private let colorCount: Int

  /// Prepares an image on a lattice whose parts come in eights.
  init(weights: LQIPWeights, colorCount: Int, image: OklabLattice) {
    precondition(image.means.count.isMultiple(of: 8), "parts come in eights")
    self.colorCount = colorCount
    let firsts = stride(from: 0, to: image.means.count, by: 8)
    func eight(_ value: (_ part: Int) -> Float, from first: Int) -> Parts {
      var parts = Parts.zero
      for index in 0..<8 { parts[index] = value(first + index) }
      return parts
    }
    self.weights = firsts.flatMap { first in
      (0..<colorCount).map { color in eight({ weights.parts[$0][color] }, from: first) }
    }
    self.image = firsts.flatMap { first in
      (0..<3).map { component in eight({ image.means[$0][component] }, from: first) }
        + [eight({ image.variances[$0] }, from: first)]
    }
  }

  /// The mean distance, for encoded colors within 0...1.
  ///
  /// - Complexity: O(parts · colors), with three cube roots a part.
  func callAsFunction(_ colors: [SIMD3<Float>]) -> Float {
    precondition(colors.count == colorCount, "the geometry has a place for each color")
    var sum = Parts.zero
    for index in 0..<image.count / 4 {
      var (red, green, blue) = (Parts.zero, Parts.zero, Parts.zero)
      for color in 0..<colorCount {
        let weight = weights[index * colorCount + color]
        red += weight * colors[color].x
        green += weight * colors[color].y
        blue += weight * colors[color].z
      }
      sum += Self.distance(
        red: Self.light(red), green: Self.light(green), blue: Self.light(blue),
        from: (image[index * 4], image[index * 4 + 1], image[index * 4 + 2]),
        variance: image[index * 4 + 3])
    }
    return sum.sum() / Float(image.count * 2)
  }

  /// Linear light of encoded light in 0...1, within 0.00003: the best polynomial of its degree.
  @inline(__always)
  private static func light(_ encoded: Parts) -> Parts {
    var light = encoded * 0.056_241_91 - 0.231_937_52
    light = light * encoded + 0.602_765_06
    light = light * encoded + 0.542_298_00
    light = light * encoded + 0.029_614_86
    light = light * encoded + 0.001_033_20
    return light.replacing(with: encoded * (1 / 12.92), where: encoded .<= 0.040_45)
  }

  @inline(__always)
  private static func distance(
    red: Parts, green: Parts, blue: Parts, from mean: (Parts, Parts, Parts), variance: Parts
  ) -> Parts {
    @inline(__always)
    func root(_ cone: Int) -> Parts {
      FastOklab.cubeRoots(
        red * Oklab.conesOfRed[cone] + green * Oklab.conesOfGreen[cone]
          + blue * Oklab.conesOfBlue[cone])
    }
    let (long, medium, short) = (root(0), root(1), root(2))
    @inline(__always)
    func square(_ component: Int, _ mean: Parts) -> Parts {
      let difference =
        long * Oklab.ofLong[component] + medium * Oklab.ofMedium[component]
        + short * Oklab.ofShort[component] - mean
      return difference * difference
    }
    return (square(0, mean.0) + square(1, mean.1) + square(2, mean.2) + variance).squareRoot()
  }
}
