/// The elementary functions that the standard library lacks.
///
/// They are made of the basic operations of IEEE 754 in double precision, so that a placeholder does not
/// depend on the C library of its platform. The relative error is a few units of 2^-53; rounded to
/// single precision, all but one result in some millions are the nearest there is.
///
/// Source: the series and reductions of Muller, "Elementary Functions", chapters 3 and 11.
package enum PortableMath {
  /// A positive number, or zero, to a positive power.
  static func power(_ base: Float, _ exponent: Float) -> Float {
    Float(power(Double(base), Double(exponent)))
  }

  /// A positive number, or zero, to a positive power.
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    base > 0 ? exponential(exponent * logarithm(base)) : 0
  }

  /// The real cube root.
  static func cubeRoot(_ value: Float) -> Float {
    let magnitude = Double(abs(value))
    guard magnitude > 0 else { return 0 }
    // A third of the exponent, then steps of Halley's, each of which triples the exact digits.
    var root = Double(bitPattern: magnitude.bitPattern / 3 + 0x2A9F_7893_782D_A1CE)
    for _ in 0..<3 {
      let cube = root * root * root
      root *= (cube + magnitude + magnitude) / (cube + cube + magnitude)
    }
    return Float(signOf: value, magnitudeOf: Float(root))
  }

  /// The cosine of an angle of some turns at most.
  package static func cosine(_ angle: Double) -> Double {
    sine(angle, quarterTurns: 1)
  }

  /// The sine of an angle of some turns at most.
  static func sine(_ angle: Double) -> Double {
    sine(angle, quarterTurns: 0)
  }

  /// The sine of an angle and some quarter turns more.
  private static func sine(_ angle: Double, quarterTurns: Int) -> Double {
    let nearest = (angle * (2 / Double.pi)).rounded(.toNearestOrEven)
    let rest = (angle - nearest * 0x1.921fb54400000p+0) - nearest * 0x1.0b4611a626331p-34
    let square = rest * rest
    let quadrant = (Int(nearest) + quarterTurns) & 3
    let value =
      quadrant & 1 == 0
      ? rest * polynomial(square, sineTerms) : polynomial(square, cosineTerms)
    return quadrant & 2 == 0 ? value : -value
  }

  /// The natural logarithm of a positive number.
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

  /// The number e to some power, of at most some millions.
  package static func exponential(_ value: Double) -> Double {
    let nearest = (value / 0x1.62e42fefa39efp-1).rounded(.toNearestOrEven)
    let rest = (value - nearest * 0x1.62e42fee00000p-1) - nearest * 0x1.a39ef35793c76p-33
    return Double(
      sign: .plus, exponent: Int(nearest), significand: polynomial(rest, exponentialTerms))
  }

  /// The polynomial with these coefficients, the highest first.
  private static func polynomial(_ value: Double, _ coefficients: [Double]) -> Double {
    coefficients.reduce(0) { $0 * value + $1 }
  }

  /// Of the sine over its angle, by the square of that, which is at most (π/4)².
  private static let sineTerms: [Double] = [
    1 / 355_687_428_096_000, -1 / 1_307_674_368_000, 1 / 6_227_020_800, -1 / 39_916_800,
    1 / 362_880, -1 / 5040, 1 / 120, -1 / 6, 1,
  ]

  /// Of the cosine, likewise.
  private static let cosineTerms: [Double] = [
    1 / 20_922_789_888_000, -1 / 87_178_291_200, 1 / 479_001_600, -1 / 3_628_800, 1 / 40320,
    -1 / 720, 1 / 24, -1 / 2, 1,
  ]

  /// Of the inverse hyperbolic tangent over its argument, by the square of that: at most 0.03.
  private static let logarithmTerms: [Double] = [
    1 / 21, 1 / 19, 1 / 17, 1 / 15, 1 / 13, 1 / 11, 1 / 9, 1 / 7, 1 / 5, 1 / 3, 1,
  ]

  /// Of the exponential function, for at most half of the logarithm of 2.
  private static let exponentialTerms: [Double] = [
    1 / 87_178_291_200, 1 / 6_227_020_800, 1 / 479_001_600, 1 / 39_916_800, 1 / 3_628_800,
    1 / 362_880, 1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1,
  ]
}

/// Cosines as they are in double precision: all but one in some thousands the nearest there is.
///
/// Source: Dekker, "A floating-point technique for extending the available precision" (1971), for the
/// arithmetic of pairs.
enum NearestCosine {
  /// The cosine of an angle of some turns at most.
  static func cosine(_ angle: Double) -> Double {
    let nearest = (angle * (2 / Double.pi)).rounded(.toNearestOrEven)
    // A quarter turn in three parts, of which few multiples of the first two have no rounding error.
    let rest = angle - nearest * 0x1.921f_b544p+0
    let high = Pair(rest, plus: -nearest * 0x1.0b46_11a6p-34)
    let angle = Pair(high.value, plus: high.error - nearest * 0x1.3198_a2e0_3707_3p-69)
    let quadrant = Int(nearest) & 3
    let value =
      quadrant & 1 == 0
      ? series(angle, first: 1).value : (angle * series(angle, first: 2)).value
    return quadrant == 1 || quadrant == 2 ? -value : value
  }

  /// 1 - x²/(n (n + 1)) (1 - x²/((n + 2) (n + 3)) (1 - …)): for n = 1 the cosine, for 2 the sine over x.
  private static func series(_ angle: Pair, first: Int) -> Pair {
    let square = angle * angle
    func divisor(_ term: Int) -> Double {
      Double((first + 2 * term) * (first + 2 * term + 1))
    }
    let pairCount = 4
    var rest = 1.0
    for term in (pairCount..<13).reversed() { rest = 1 - square.value * rest / divisor(term) }
    var sum = Pair(rest, plus: 0)
    for term in (0..<pairCount).reversed() {
      let product = (square * sum) / divisor(term)
      let difference = Pair(1, plus: -product.value)
      sum = Pair(difference.value, plus: difference.error - product.error)
    }
    return sum
  }

  /// A number as the sum of its nearest double and what that leaves.
  private struct Pair {
    let value: Double
    let error: Double

    /// The sum of two numbers.
    init(_ one: Double, plus other: Double) {
      value = one + other
      let part = value - one
      error = (one - (value - part)) + (other - part)
    }

    /// The product of two numbers.
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
