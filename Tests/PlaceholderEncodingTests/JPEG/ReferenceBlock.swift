import Foundation

/// The transform of a block in double precision, as defined in ITU-T T.81, A.3.3 and A.3.4.
struct ReferenceBlock {
  /// The quantized coefficients, row by row.
  let coefficients: [Double]

  /// Whether a coefficient is halfway between two integers, so rounding can go either way.
  let isTied: Bool

  init(sample: (_ x: Int, _ y: Int) -> Double) {
    let quotients = (0..<64).map { index in
      let (u, v) = (index % 8, index / 8)
      var sum = 0.0
      for y in 0..<8 {
        for x in 0..<8 { sum += (sample(x, y) - 128) * Self.wave(u, x) * Self.wave(v, y) }
      }
      return sum / Self.steps[index]
    }
    isTied = quotients.contains { abs(abs($0 - $0.rounded()) - 0.5) < 1e-4 }
    coefficients = quotients.map { $0.rounded() }
  }

  func decoded(x: Int, y: Int) -> Double {
    let sum = (0..<64).reduce(128) {
      $0 + coefficients[$1] * Self.steps[$1] * Self.wave($1 % 8, x) * Self.wave($1 / 8, y)
    }
    return max(0, min(255, sum))
  }

  private static func wave(_ frequency: Int, _ place: Int) -> Double {
    (frequency == 0 ? 0.125.squareRoot() : 0.5)
      * cos(Double((2 * place + 1) * frequency) * .pi / 16)
  }

  /// Table K.1, row-major.
  private static let steps: [Double] = [
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
}
