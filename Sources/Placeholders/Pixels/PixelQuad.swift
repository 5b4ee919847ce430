/// The samples of four neighboring pixels of a row, a lane each.
struct PixelQuad {
  let red: SIMD4<UInt8>
  let green: SIMD4<UInt8>
  let blue: SIMD4<UInt8>
  var alpha = SIMD4<UInt8>(repeating: .max)

  /// The number of quads that cover a row; the last one may extend beyond it.
  static func count(width: Int) -> Int { (width + 3) / 4 }

  /// A value of each column, for one quad after the other.
  static func lanes<Value: SIMDScalar>(
    width: Int, _ value: (_ x: Int) -> Value
  ) -> [SIMD4<Value>] {
    (0..<count(width: width)).map { quad in
      SIMD4(value(4 * quad), value(4 * quad + 1), value(4 * quad + 2), value(4 * quad + 3))
    }
  }
}

extension PixelQuad {
  /// Rounds encoded channels in 0...1 to the nearest samples.
  @inline(__always)
  init(encodedRed red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
    self.init(red: Self.samples(red), green: Self.samples(green), blue: Self.samples(blue))
  }

  @inline(__always)
  private static func samples(_ encoded: SIMD4<Float>) -> SIMD4<UInt8> {
    // Adding 2^23 rounds to an integer, which is then in the low bits of the result.
    let rounded = encoded * 255 + 0x1p23
    return unsafe SIMD4(truncatingIfNeeded: unsafeBitCast(rounded, to: SIMD4<UInt32>.self))
  }
}
