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
