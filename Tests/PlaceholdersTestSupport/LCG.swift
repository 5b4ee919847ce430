/// A pseudorandom number generator that produces the same numbers in each run.
///
/// Only the upper half of the state is used, because the low bits have short periods. Source: Knuth, MMIX.
package struct LCG: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    UInt64(nextHalf()) << 32 | UInt64(nextHalf())
  }

  /// Returns the next 32 bits.
  package mutating func nextHalf() -> UInt32 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: state >> 32)
  }

  /// Returns random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// Returns a random color in linear light.
  package mutating func color() -> SIMD3<Float> {
    SIMD3<Float>.random(in: 0...1, using: &self)
  }
}
