import CPlaceholderCodecs
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct SampleMatrixTests {
  /// Returns the colors of a pixel.
  private static func colors(_ samples: [Int], _ matrix: lqip_tile_matrix) -> [Int] {
    func color(_ y: Float, _ u: Float, _ v: Float, _ offset: Float) -> Int {
      Int(y * Float(samples[0]) + u * Float(samples[1]) + v * Float(samples[2]) + offset)
    }
    let (y, u, v, offset) = (matrix.y, matrix.u, matrix.v, matrix.offset)
    return [
      color(y.0, u.0, v.0, offset.0), color(y.1, u.1, v.1, offset.1),
      color(y.2, u.2, v.2, offset.2),
    ]
  }

  private static func matrix(
    _ number: UInt8, primaries: UInt8 = 1, isFullRange: Bool = true, depth: Int = 8
  ) -> lqip_tile_matrix? {
    lqip_tile_matrix(
      matrix: number, primaries: primaries, isFullRange: isFullRange, depth: depth, isGray: false)
  }

  /// Source: ITU-T H.273, section 8.3, YCgCo-Re.
  @Test func `reversible samples become the colors from which they were made`() throws {
    let matrix = try #require(Self.matrix(16, depth: 10))
    var random = LCG(seed: 16)
    for _ in 0..<1000 {
      let colors = (0..<3).map { _ in Int(random.next() % 256) }
      let orange = colors[0] - colors[2]
      let sum = colors[2] + orange >> 1
      let green = colors[1] - sum
      let found = Self.colors([sum + green >> 1, green + 512, orange + 512], matrix)
      #expect(zip(found, colors).allSatisfy { abs($0 - $1) <= 1 }, "\(found), \(colors)")
    }
  }

  @Test func `reversible samples have two bits more than colors, and the full range`() {
    #expect(Self.matrix(16) == nil)
    #expect(Self.matrix(16, isFullRange: false, depth: 10) == nil)
  }

  /// Source: ITU-T H.273, tables 2 and 4: matrices 1 and 9 are those of the primaries 1 and 9, rounded.
  @Test(arguments: [1, 9] as [UInt8])
  func `the matrix of primaries has the luminance of its colors`(number: UInt8) throws {
    let derived = try #require(Self.matrix(12, primaries: number))
    let named = try #require(Self.matrix(number))
    var random = LCG(seed: 12)
    for _ in 0..<1000 {
      let samples = [Int(random.next() % 256), Int(random.next() % 256), Int(random.next() % 256)]
      let pairs = zip(Self.colors(samples, derived), Self.colors(samples, named))
      #expect(pairs.allSatisfy { abs($0 - $1) <= 1 })
    }
  }
}
