internal import Placeholders

/// The cosine transform of blocks of 8×8 samples, and the quantization of its coefficients.
///
/// Source: ITU-T T.81, A.3.3 and A.3.4.
struct JPEGTransform {
  /// The quantization table in zigzag order: table K.1, which libjpeg uses for luma at quality 50.
  ///
  /// The loss is not visible, because browsers smooth a tiny image when they enlarge it.
  static let quantizationTable: [UInt8] = [
    16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35,
    37, 29, 40, 58, 51, 61, 60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109,
    81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
  ]

  /// The position of each coefficient in zigzag order in the result of ``setCoefficients(_:of:column:row:)``:
  /// row · 8 + lane.
  static let zigzag: [Int] = {
    // Along the diagonals, alternating between up and down.
    let frequencies = (0..<64).map { (x: $0 % 8, y: $0 / 8) }.sorted { one, other in
      let (first, second) = (one.x + one.y, other.x + other.y)
      guard first == second else { return first < second }
      return first.isMultiple(of: 2) ? one.x < other.x : one.y < other.y
    }
    return frequencies.map { $0.y * 8 + lane(of: $0.x) }
  }()

  static let shared = JPEGTransform()

  /// For each pair of samples at equal distance from both ends: the factors of their sum in the coefficients of even
  /// frequencies, and of their difference in those of odd frequencies.
  private let basis: [(even: SIMD4<Float>, odd: SIMD4<Float>)]

  /// The reciprocal of each quantization step, at the positions in ``zigzag``.
  private let inverseSteps: [SIMD8<Float>]

  private init() {
    basis = (0..<4).map { sample in
      func values(from frequency: Int) -> SIMD4<Float> {
        var values = SIMD4<Float>.zero
        for index in 0..<4 { values[index] = Self.basis(frequency + index * 2, sample) }
        return values
      }
      return (values(from: 0), values(from: 1))
    }
    var inverseSteps = [SIMD8<Float>](repeating: .zero, count: 8)
    for (position, step) in zip(Self.zigzag, Self.quantizationTable) {
      inverseSteps[position / 8][position % 8] = 1 / Float(step)
    }
    self.inverseSteps = inverseSteps
  }

  /// Computes the quantized coefficients of a block.
  ///
  /// - Parameters:
  ///   - block: Eight rows for the result, at the positions in ``zigzag``.
  ///   - plane: The samples.
  ///   - column: The column of the block.
  ///   - row: The row of the block.
  func setCoefficients(_ block: inout [SIMD8<Float>], of plane: JPEGPlane, column: Int, row: Int) {
    precondition(block.count == 8 && column < plane.blockColumns && row < plane.blockRows)
    let length = plane.blockColumns * 8
    for y in 0..<8 {
      let samples = plane.samples[((row * 8 + y) * length + column * 8)...].prefix(8)
      block[y] = transformed(samples)
    }
    let sums = (block[0] + block[7], block[1] + block[6], block[2] + block[5], block[3] + block[4])
    let differences = (
      block[0] - block[7], block[1] - block[6], block[2] - block[5], block[3] - block[4]
    )
    for pair in 0..<4 {
      let even =
        sums.0 * basis[0].even[pair] + sums.1 * basis[1].even[pair]
        + sums.2 * basis[2].even[pair] + sums.3 * basis[3].even[pair]
      let odd =
        differences.0 * basis[0].odd[pair] + differences.1 * basis[1].odd[pair]
        + differences.2 * basis[2].odd[pair] + differences.3 * basis[3].odd[pair]
      block[pair * 2] = rounded(even * inverseSteps[pair * 2])
      block[pair * 2 + 1] = rounded(odd * inverseSteps[pair * 2 + 1])
    }
  }

  /// Transforms eight samples; even frequencies come before odd ones.
  @inline(__always)
  private func transformed(_ samples: ArraySlice<Float>) -> SIMD8<Float> {
    var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for pair in 0..<4 {
      let one = samples[samples.startIndex + pair]
      let other = samples[samples.startIndex + 7 - pair]
      even += (one + other) * basis[pair].even
      odd += (one - other) * basis[pair].odd
    }
    return SIMD8(lowHalf: even, highHalf: odd)
  }

  /// Rounds values below 2^22 to the nearest integers: after adding 1.5 · 2^23, no bits are left for a fraction.
  @inline(__always)
  private func rounded(_ values: SIMD8<Float>) -> SIMD8<Float> {
    values + 0x1.8p23 - 0x1.8p23
  }

  /// The lane of a frequency; even frequencies come before odd ones.
  private static func lane(of frequency: Int) -> Int { frequency % 2 * 4 + frequency / 2 }

  private static func basis(_ frequency: Int, _ sample: Int) -> Float {
    let scale = frequency == 0 ? 0.5.squareRoot() / 2 : 0.5
    return Float(scale * PortableMath.cosine(Double((2 * sample + 1) * frequency) * .pi / 16))
  }
}
