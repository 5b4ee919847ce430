import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PointAxisTests {
  @Test(arguments: [1, 2, 23, 24, 25, 100, 128, 129, 5000], [1, 24])
  func `the shares of a point add up to one, and its cells follow each other`(
    length: Int, pointCount: Int
  ) {
    let extents = GridAxis(decodedLength: length, sourceLength: length, scale: 1).extents
    let axis = PointAxis(extents: extents, pointCount: pointCount)
    #expect(axis.runs.count == pointCount)
    #expect(axis.runs.first?.lowerBound == 0)
    #expect(axis.runs.last?.upperBound == extents.count)
    for (run, first) in zip(axis.runs, axis.firstShares) {
      let shares = axis.shares[first..<first + run.count]
      #expect(abs(shares.reduce(0, +) - 1) < 1e-5)
      #expect(shares.allSatisfy { $0 > 0 })
    }
    for (run, next) in zip(axis.runs, axis.runs.dropFirst()) {
      #expect(next.lowerBound == run.upperBound || next.lowerBound == run.upperBound - 1)
    }
  }
}
