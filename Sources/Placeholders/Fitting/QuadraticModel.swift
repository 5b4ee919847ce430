/// A quadratic function of the terms of a BlurHash, around a point, which each step of the fit minimizes.
///
/// The preview at a position is a mix of the terms, called colors here, with weights that depend on the position.
struct QuadraticModel: Sendable {
  /// The point.
  let origin: [SIMD3<Float>]

  /// The slope at the point.
  private(set) var gradient: [SIMD3<Float>]

  /// The curvature: for each channel of each color, a vector for each color.
  private var hessian: [SIMD3<Float>]

  /// Starts with a function that is zero everywhere.
  init(origin: [SIMD3<Float>]) {
    self.origin = origin
    gradient = Array(repeating: .zero, count: origin.count)
    hessian = Array(repeating: .zero, count: origin.count * origin.count * 3)
  }

  /// Adds a function of one mix of the colors.
  ///
  /// - Parameters:
  ///   - slope: The slope of the function over the mix's red, green and blue.
  ///   - curvature: The rows of its second derivatives.
  ///   - weight: How much of each color is in the mix.
  @inline(__always)
  mutating func add(
    slope: SIMD3<Float>, curvature: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>),
    weight: (_ color: Int) -> Float
  ) {
    let count = origin.count
    for color in 0..<count { gradient[color] += weight(color) * slope }
    // All indices are below count · count · 3, and there are millions of them.
    unsafe hessian.withUnsafeMutableBufferPointer { hessian in
      for color in 0..<count {
        for other in 0..<count {
          let product = weight(color) * weight(other)
          let first = color &* 3 &* count &+ other
          unsafe hessian[first] += product * curvature.0
          unsafe hessian[first &+ count] += product * curvature.1
          unsafe hessian[first &+ 2 &* count] += product * curvature.2
        }
      }
    }
  }

  /// Adds the distance in OKLab between one mix and a color, as Gauss and Newton approximate it.
  ///
  /// The mix counts by the inverse of its distance, because distances are summed and not squares.
  ///
  /// - Parameters:
  ///   - difference: From the color to the mix.
  ///   - variance: What is to be added to the squared distance.
  ///   - share: What the distance counts.
  ///   - derivatives: How the mix changes with its red, green and blue.
  ///   - weight: How much of each color is in the mix.
  @inline(__always)
  mutating func addDistance(
    _ difference: SIMD3<Float>, variance: Float, share: Float,
    derivatives: (red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>),
    weight: (_ color: Int) -> Float
  ) {
    let leastDistance: Float = 0.02
    let distance = (dot(difference, difference) + variance).squareRoot()
    let importance = share / max(distance, leastDistance)
    func products(with vector: SIMD3<Float>) -> SIMD3<Float> {
      importance
        * SIMD3(
          dot(derivatives.red, vector), dot(derivatives.green, vector),
          dot(derivatives.blue, vector))
    }
    add(
      slope: products(with: difference),
      curvature: (
        products(with: derivatives.red), products(with: derivatives.green),
        products(with: derivatives.blue)
      ),
      weight: weight)
  }

  /// The second derivatives between one channel of one color and the channels of another.
  func curvature(_ color: Int, _ channel: Int, _ other: Int) -> SIMD3<Float> {
    hessian[(color * 3 + channel) * origin.count + other]
  }

  /// How the function changes from the point to other colors.
  func change(to colors: [SIMD3<Float>]) -> Float {
    let steps = zip(colors, origin).map { $0 - $1 }
    var sum: Float = 0
    for color in steps.indices {
      sum += dot(gradient[color], steps[color])
      for channel in 0..<3 where steps[color][channel] != 0 {
        for other in steps.indices {
          let curvature = curvature(color, channel, other)
          sum += 0.5 * steps[color][channel] * dot(curvature, steps[other])
        }
      }
    }
    return sum
  }

  /// The colors with channels in -1...1 that minimize the function, by projected Gauss-Seidel steps.
  func minimizer() -> [SIMD3<Float>] {
    let sweepCount = 12
    // A little more curvature than there is keeps a step from overshooting.
    let damping: Float = 0.02
    var colors = origin
    var slope = gradient
    for _ in 0..<sweepCount {
      for color in colors.indices {
        for channel in 0..<3 {
          let own = curvature(color, channel, color)[channel]
          guard own > 0 else { continue }
          let old = colors[color][channel]
          let step = slope[color][channel] / (own * (1 + damping))
          let new = max(-1, min(1, old - step))
          colors[color][channel] = new
          for other in colors.indices {
            slope[other] += curvature(color, channel, other) * (new - old)
          }
          slope[color][channel] += damping * own * (new - old)
        }
      }
    }
    return colors
  }
}
