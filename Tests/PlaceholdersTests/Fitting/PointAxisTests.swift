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
    #expect(axis.firstRuns.count == pointCount + 1)
    #expect(axis.firstRuns.last == axis.runs.count)
    let points = zip(axis.firstRuns, axis.firstRuns.dropFirst()).map { axis.runs[$0..<$1] }
    #expect(points.first?.first?.cell == 0)
    for runs in points {
      let shares = runs.flatMap { run in (0..<run.count).map { run.share($0).x } }
      #expect(abs(shares.reduce(0, +) - 1) < 1e-5)
      #expect(shares.allSatisfy { $0 > 0 })
      for run in runs {
        for place in 0..<4 {
          #expect(run.share(place) == SIMD4(repeating: run.share(place).x))
          #expect((run.share(place) == .zero) == (place >= run.count))
        }
      }
      for (run, next) in zip(runs, runs.dropFirst()) {
        #expect(run.count == PointAxis.longestRun && next.cell == run.cell + run.count)
      }
    }
    let ends = points.compactMap { runs in runs.last.map { $0.cell + $0.count } }
    #expect(ends.last == extents.count)
    for (end, next) in zip(ends, points.dropFirst()) {
      #expect(next.first?.cell == end || next.first?.cell == end - 1)
    }
  }
}
