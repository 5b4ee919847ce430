/// Elementary functions that are independent of the platform's C library.
///
/// They use only basic IEEE 754 operations in double precision, so placeholders are the same on every platform. The
/// relative error is a few units of 2^-53. In single precision, all but one in several million results are correctly
/// rounded.
///
/// Source: Muller, "Elementary Functions", chapters 3 and 11, for the series and the range reductions.
package enum PortableMath {
  static func power(_ base: Float, _ exponent: Float) -> Float {
    Float(power(Double(base), Double(exponent)))
  }

  /// Returns a nonnegative number raised to a positive power.
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    base > 0 ? exponential(exponent * logarithm(base)) : 0
  }

  static func cubeRoot(_ value: Float) -> Float {
    let magnitude = Double(abs(value))
    guard magnitude > 0 else { return 0 }
    // An estimate from a third of the exponent. Each Halley step triples the number of exact digits.
    var root = Double(bitPattern: magnitude.bitPattern / 3 + 0x2A9F_7893_782D_A1CE)
    for _ in 0..<3 {
      let cube = root * root * root
      root *= (cube + magnitude + magnitude) / (cube + cube + magnitude)
    }
    return Float(signOf: value, magnitudeOf: Float(root))
  }

  /// Returns the cosine of an angle in radians, which must be at most a few turns in magnitude.
  package static func cosine(_ angle: Double) -> Double {
    sine(angle, quarterTurns: 1)
  }

  /// Returns the sine of the sum of an angle in radians, at most a few turns in magnitude, and a number of quarter turns.
  static func sine(_ angle: Double, quarterTurns: Int = 0) -> Double {
    let nearest = (angle * (2 / Double.pi)).rounded(.toNearestOrEven)
    let remainder = (angle - nearest * 0x1.921fb54400000p+0) - nearest * 0x1.0b4611a626331p-34
    let square = remainder * remainder
    let quadrant = (Int(nearest) + quarterTurns) & 3
    let value =
      quadrant & 1 == 0
      ? remainder * polynomial(square, sineTerms) : polynomial(square, cosineTerms)
    return quadrant & 2 == 0 ? value : -value
  }

  /// Returns the natural logarithm of a positive number.
  package static func logarithm(_ value: Double) -> Double {
    var exponent = Double(value.exponent)
    var significand = value.significand
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      exponent += 1
    }
    let ratio = (significand - 1) / (significand + 1)
    return exponent * 0x1.62e42fefa39efp-1 + 2 * ratio * polynomial(ratio * ratio, logarithmTerms)
  }

  /// Returns e raised to the power of a number whose magnitude is at most several million.
  package static func exponential(_ value: Double) -> Double {
    let nearest = (value / 0x1.62e42fefa39efp-1).rounded(.toNearestOrEven)
    let remainder = (value - nearest * 0x1.62e42fee00000p-1) - nearest * 0x1.a39ef35793c76p-33
    return Double(
      sign: .plus, exponent: Int(nearest), significand: polynomial(remainder, exponentialTerms))
  }

  /// Evaluates a polynomial; the coefficient of the highest power is first.
  private static func polynomial(_ value: Double, _ coefficients: [Double]) -> Double {
    coefficients.reduce(0) { $0 * value + $1 }
  }

  /// Coefficients of sin(x) / x in powers of x², for |x| ≤ π/4.
  private static let sineTerms: [Double] = [
    1 / 355_687_428_096_000, -1 / 1_307_674_368_000, 1 / 6_227_020_800, -1 / 39_916_800,
    1 / 362_880, -1 / 5040, 1 / 120, -1 / 6, 1,
  ]

  /// Coefficients of cos(x) in powers of x², for |x| ≤ π/4.
  private static let cosineTerms: [Double] = [
    1 / 20_922_789_888_000, -1 / 87_178_291_200, 1 / 479_001_600, -1 / 3_628_800, 1 / 40320,
    -1 / 720, 1 / 24, -1 / 2, 1,
  ]

  /// Coefficients of artanh(x) / x in powers of x², for x² ≤ 0.03.
  private static let logarithmTerms: [Double] = [
    1 / 21, 1 / 19, 1 / 17, 1 / 15, 1 / 13, 1 / 11, 1 / 9, 1 / 7, 1 / 5, 1 / 3, 1,
  ]

  /// Coefficients of exp(x) in powers of x, for |x| ≤ ln(2) / 2.
  private static let exponentialTerms: [Double] = [
    1 / 87_178_291_200, 1 / 6_227_020_800, 1 / 479_001_600, 1 / 39_916_800, 1 / 3_628_800,
    1 / 362_880, 1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1,
  ]
}

/// Cosines in double precision; all but one in several thousand are correctly rounded.
///
/// Source: Dekker, "A floating-point technique for extending the available precision" (1971), for pair arithmetic.
enum NearestCosine {
  /// Returns the cosine of an angle in radians, which must be at most a few turns in magnitude.
  static func cosine(_ angle: Double) -> Double {
    let nearest = (angle * (2 / Double.pi)).rounded(.toNearestOrEven)
    // Splits π/2 into three parts; small multiples of the first two parts are exact.
    let remainder = angle - nearest * 0x1.921f_b544p+0
    let high = Pair(remainder, plus: -nearest * 0x1.0b46_11a6p-34)
    let angle = Pair(high.value, plus: high.error - nearest * 0x1.3198_a2e0_3707_3p-69)
    let quadrant = Int(nearest) & 3
    let value =
      quadrant & 1 == 0
      ? series(angle, first: 1).value : (angle * series(angle, first: 2)).value
    return quadrant == 1 || quadrant == 2 ? -value : value
  }

  /// Evaluates 1 - x²/(n (n + 1)) (1 - x²/((n + 2) (n + 3)) (1 - …)): cos(x) for n = 1, sin(x) / x for n = 2.
  private static func series(_ angle: Pair, first: Int) -> Pair {
    let square = angle * angle
    func divisor(_ term: Int) -> Double {
      Double((first + 2 * term) * (first + 2 * term + 1))
    }
    let pairCount = 4
    var tail = 1.0
    for term in (pairCount..<13).reversed() { tail = 1 - square.value * tail / divisor(term) }
    var sum = Pair(tail, plus: 0)
    for term in (0..<pairCount).reversed() {
      let product = (square * sum) / divisor(term)
      let difference = Pair(1, plus: -product.value)
      sum = Pair(difference.value, plus: difference.error - product.error)
    }
    return sum
  }

  /// A number as the sum of the nearest double and a rounding error.
  private struct Pair {
    let value: Double
    let error: Double

    /// Creates the exact sum of two numbers.
    init(_ one: Double, plus other: Double) {
      value = one + other
      let part = value - one
      error = (one - (value - part)) + (other - part)
    }

    /// Creates the exact product of two numbers.
    init(_ one: Double, times other: Double) {
      func halves(_ number: Double) -> (high: Double, low: Double) {
        let scaled = number * 0x1.0000_0020_0000_0p+27
        let high = scaled - (scaled - number)
        return (high, number - high)
      }
      let (left, right) = (halves(one), halves(other))
      value = one * other
      error =
        ((left.high * right.high - value) + left.high * right.low + left.low * right.high)
        + left.low * right.low
    }

    static func * (left: Pair, right: Pair) -> Pair {
      let product = Pair(left.value, times: right.value)
      return Pair(
        product.value,
        plus: product.error + left.value * right.error + left.error * right.value)
    }

    static func / (pair: Pair, divisor: Double) -> Pair {
      let quotient = pair.value / divisor
      let product = Pair(quotient, times: divisor)
      return Pair(
        quotient, plus: ((pair.value - product.value) - product.error + pair.error) / divisor)
    }
  }
}

func dot(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float {
  (left * right).sum()
}

extension SIMD4<Float> {
  @inline(__always)
  var xyz: SIMD3<Float> { SIMD3(x, y, z) }
}

/// Clamps each channel of a color to 0...`upperBound`; NaN becomes 0.
///
/// This is faster than the standard library's `clamped`, which works lane by lane.
@inline(__always)
func clamped(_ color: SIMD3<Float>, to upperBound: SIMD3<Float>) -> SIMD3<Float> {
  color.replacing(with: SIMD3<Float>.zero, where: .!(color .>= SIMD3<Float>.zero))
    .replacing(with: upperBound, where: color .> upperBound)
}

/// Clamps each of four lanes to 0...`upperBound`; NaN becomes 0.
@inline(__always)
func clamped(_ lanes: SIMD4<Float>, to upperBound: SIMD4<Float>) -> SIMD4<Float> {
  lanes.replacing(with: SIMD4<Float>.zero, where: .!(lanes .>= SIMD4<Float>.zero))
    .replacing(with: upperBound, where: lanes .> upperBound)
}
