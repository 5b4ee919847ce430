/// The cosine transform of blocks, and the conversion from YCbCr.
enum TinyTransform {
  /// The cosines of each frequency at the sample centers, scaled so that the transform is orthonormal.
  ///
  /// Source: ITU-T T.81, A.3.3.
  static let basis: [[Float]] = (0..<8).map { frequency in
    let scale = frequency == 0 ? 0.125.squareRoot() : 0.5
    return cosines(frequency).map { Float(scale * $0) }
  }

  /// Returns the cosines of a frequency, in half periods per block, at the sample centers.
  static func cosines(_ frequency: Int) -> [Double] {
    (0..<8).map { PortableMath.cosine(Double((2 * $0 + 1) * frequency) * .pi / 16) }
  }

  /// Transforms row-major blocks of 8×8 samples, one block per lane, to row-major pairs of frequencies.
  ///
  /// The basis functions of both axes have eight values for each frequency, which are symmetric for even frequencies and
  /// antisymmetric for odd ones.
  @inline(__always)
  static func coefficients<Lanes: SIMD>(of samples: [Lanes], _ basis: [[Float]]) -> [Lanes]
  where Lanes.Scalar == Float {
    let factors = basis.flatMap { $0 }
    return transposed(transposed(samples, factors), factors)
  }

  /// Transforms rows of eight samples; the result has a row for each frequency.
  @inline(__always)
  private static func transposed<Lanes: SIMD>(_ samples: [Lanes], _ factors: [Float]) -> [Lanes]
  where Lanes.Scalar == Float {
    let (height, count) = (samples.count / 8, factors.count / 8)
    return unsafe [Lanes](unsafeUninitializedCapacity: height * count) { output, outputCount in
      unsafe samples.withUnsafeBufferPointer { samples in
        unsafe factors.withUnsafeBufferPointer { factors in
          for row in 0..<height {
            let first = row &* 8
            @inline(__always)
            func pair(_ x: Int, _ sign: Float) -> Lanes {
              let opposite = unsafe samples[first &+ 7 &- x] * sign
              return unsafe samples[first &+ x] + opposite
            }
            @inline(__always)
            func set(from firstFrequency: Int, _ sign: Float) {
              let pairs = (pair(0, sign), pair(1, sign), pair(2, sign), pair(3, sign))
              for frequency in stride(from: firstFrequency, to: count, by: 2) {
                let factor = frequency &* 8
                var sum = unsafe pairs.0 * factors[factor]
                unsafe sum += pairs.1 * factors[factor &+ 1]
                unsafe sum += pairs.2 * factors[factor &+ 2]
                unsafe sum += pairs.3 * factors[factor &+ 3]
                unsafe output[frequency &* height &+ row] = sum
              }
            }
            set(from: 0, 1)
            set(from: 1, -1)
          }
        }
      }
      outputCount = height * count
    }
  }

  /// Converts a YCbCr color to red, green and blue, which can be outside 0...255; gray has zero Cb and Cr.
  ///
  /// Source: JFIF 1.02, "Conversion to and from RGB".
  @inline(__always)
  static func color(_ color: SIMD4<Float>) -> SIMD3<Float> {
    let (luma, cb, cr) = (color.x, color.y, color.z)
    return SIMD3(luma + 1.402 * cr, luma - 0.344_136 * cb - 0.714_136 * cr, luma + 1.772 * cb)
  }
}

/// The quantized coefficients of a picture: a block for each of luma, Cb and Cr.
struct TinyCoefficients: Sendable, Hashable {
  /// The maximum sum of the magnitudes of a block's dequantized coefficients.
  ///
  /// Up to this sum, the samples of a block are within ±512 of the middle of their range. Beyond that range, decoders
  /// with 16-bit arithmetic or with clamping tables return different samples.
  static let maximumMagnitude = 2048

  /// 64 coefficients for each block, in zigzag order.
  var values = [Int16](repeating: 0, count: 3 * 64)

  /// Whether the coefficients are in the range in which all decoders return the same picture.
  var isInRange: Bool {
    TinyTables.steps.enumerated().allSatisfy { component, steps in
      let sum = steps.enumerated().reduce(0) { sum, step in
        sum + abs(Int(values[component * 64 + step.offset])) * Int(step.element)
      }
      return sum <= Self.maximumMagnitude
    }
  }

  /// The samples of the blocks: vectors of luma, Cb and Cr, row-major; zero is the middle of their range.
  var samples: [SIMD4<Float>] {
    let basis = TinyTransform.basis
    var samples = [SIMD4<Float>](repeating: .zero, count: 64)
    for (position, frequency) in TinyTables.zigzag.enumerated() {
      var coefficients = SIMD4<Float>.zero
      for (component, steps) in TinyTables.steps.enumerated() {
        coefficients[component] = Float(values[component * 64 + position]) * Float(steps[position])
      }
      guard coefficients != .zero else { continue }
      let (row, column) = (basis[frequency / 8], basis[frequency % 8])
      for y in 0..<8 {
        let line = coefficients * row[y]
        for x in 0..<8 { samples[y * 8 + x] += line * column[x] }
      }
    }
    return samples
  }
}
