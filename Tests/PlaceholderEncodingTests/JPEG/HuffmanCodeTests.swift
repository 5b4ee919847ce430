import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct HuffmanCodeTests {
  /// The minimum number of bits for symbols with these weights and one with weight zero.
  ///
  /// Computed by repeatedly joining the two lightest nodes.
  private static func fewestBits(_ counts: [Int]) -> Int {
    var weights = [0] + counts.filter { $0 > 0 }
    var bits = 0
    while weights.count > 1 {
      weights.sort(by: >)
      let sum = weights.removeLast() + weights.removeLast()
      weights.append(sum)
      bits += sum
    }
    return bits
  }

  private static func counts(seed: UInt64, symbolCount: Int) -> [Int] {
    var random = LCG(seed: seed)
    var counts = [Int](repeating: 0, count: 256)
    for _ in 0..<symbolCount {
      counts[Int.random(in: 0..<256, using: &random)] = 1 << Int.random(in: 0..<6, using: &random)
    }
    return counts
  }

  @Test(arguments: [1, 2, 3, 7, 20, 60])
  func `the code length is optimal`(symbolCount: Int) {
    for seed in 0..<20 {
      let counts = Self.counts(seed: UInt64(seed), symbolCount: symbolCount)
      let code = HuffmanCode(counts: counts)
      let bits = counts.indices.reduce(0) { $0 + counts[$1] * Int(code.codes[$1].length) }
      #expect(bits == Self.fewestBits(counts))
    }
  }

  @Test(arguments: [1, 2, 3, 7, 20, 60])
  func `no code is a prefix of another or all ones`(symbolCount: Int) {
    let counts = Self.counts(seed: 1, symbolCount: symbolCount)
    let codes = HuffmanCode(counts: counts).codes.filter { $0.length > 0 }
    // Each code as the range of 16-bit values that start with it.
    let ranges = codes.map { code in
      let part = 1 << (HuffmanCode.longestLength - Int(code.length))
      return Int(code.bits) * part..<(Int(code.bits) + 1) * part
    }.sorted { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(ranges, ranges.dropFirst()) {
      #expect(one.upperBound <= next.lowerBound)
    }
    #expect((ranges.last?.upperBound ?? 0) < 1 << HuffmanCode.longestLength)
  }

  @Test func `symbols are sorted by code length`() {
    var counts = [Int](repeating: 0, count: 256)
    (counts[7], counts[3], counts[200]) = (8, 2, 1)
    let code = HuffmanCode(counts: counts)
    #expect(code.symbols == [7, 3, 200])
    #expect(code.lengthCounts == [1, 1, 1] + [UInt8](repeating: 0, count: 13))
    #expect(code.codes[7] == (0b0, 1))
    #expect(code.codes[3] == (0b10, 2))
    #expect(code.codes[200] == (0b110, 3))
  }

  @Test func `the rarest symbols of a Fibonacci distribution have 16-bit codes`() {
    var counts = [Int](repeating: 0, count: 256)
    var (one, next) = (1, 1)
    // Each count is the sum of the two before it.
    for symbol in 0..<16 {
      counts[symbol] = one
      (one, next) = (next, one + next)
    }
    #expect(counts.reduce(0, +) == 2583)
    let lengths = HuffmanCode(counts: counts).codes.map { $0.length }
    #expect(lengths.max() == 16)
  }
}
