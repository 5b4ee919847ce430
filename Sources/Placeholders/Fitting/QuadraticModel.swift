/// A quadratic function of the terms of a BlurHash around a point, minimized by each step of the fit.
///
/// The preview at a position is a weighted sum of the terms, here called colors; the weights depend on the position.
struct QuadraticModel: Sendable {
  /// The point around which the function is defined.
  let origin: [SIMD3<Float>]

  private(set) var gradient: [SIMD3<Float>]

  /// The second derivatives: for each channel of each color, a vector for each color.
  private var hessian: [SIMD3<Float>]

  /// Creates a function that is zero everywhere.
  init(origin: [SIMD3<Float>]) {
    self.origin = origin
    gradient = Array(repeating: .zero, count: origin.count)
    hessian = Array(repeating: .zero, count: origin.count * origin.count * 3)
  }

  /// Adds a quadratic function of a weighted sum of the colors, given its first derivatives with respect to the sum's
  /// red, green and blue, and the rows of the matrix of its second derivatives.
  @inline(__always)
  mutating func add(
    slope: SIMD3<Float>, curvature: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>),
    weight: (_ color: Int) -> Float
  ) {
    let count = origin.count
    for color in 0..<count { gradient[color] += weight(color) * slope }
    // All indices are below count · count · 3; checking millions of them would take time.
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

  /// Returns the second derivatives with respect to one channel of `color` and each channel of `other`.
  func curvature(_ color: Int, _ channel: Int, _ other: Int) -> SIMD3<Float> {
    hessian[(color * 3 + channel) * origin.count + other]
  }

  /// Returns the change in the function's value from ``origin`` to other colors.
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

  /// Returns the colors with channels in -1...1 that minimize the function, found by projected Gauss-Seidel sweeps.
  func minimizer() -> [SIMD3<Float>] {
    let sweepCount = 12
    // Additional curvature prevents steps from overshooting.
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
