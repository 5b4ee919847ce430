import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ScaleLayoutTests {
  @Test(arguments: [(ScaleLayout.fine, 1), (ScaleLayout.medium, 2), (ScaleLayout.coarse, 4)])
  func `each scale covers the image once`(groups: Range<Int>, size: Int) {
    var covered = Array(repeating: 0, count: 144)
    for group in groups {
      for lane in 0..<4 {
        guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
        #expect(part.size == size)
        for y in 0..<size {
          for x in 0..<size { covered[(part.row + y) * 12 + part.column + x] += 1 }
        }
      }
    }
    #expect(covered.allSatisfy { $0 == 1 })
  }

  @Test func `coarser parts have the means of the fine ones they cover`() {
    var random = LCG(seed: 3)
    let values = (0..<144).map { _ in Float.random(in: 0...1, using: &random) }
    let store = PlaneStore(planeCount: 1) { planes in
      for group in ScaleLayout.fine {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          planes[0][group][lane] = values[part.row * 12 + part.column]
        }
      }
      ScaleLayout.average(planes[0])
    }
    store.with { planes in
      for group in ScaleLayout.all {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          let mean =
            (0..<part.size * part.size).reduce(Float(0)) { sum, index in
              sum
                + values[
                  (part.row + index / part.size) * 12 + part.column + index % part.size]
            } / Float(part.size * part.size)
          #expect(abs(planes[0][group][lane] - mean) < 1e-6)
        }
      }
    }
  }
}
