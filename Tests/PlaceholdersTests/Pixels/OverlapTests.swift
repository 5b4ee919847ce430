import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct OverlapTests {
  @Test(arguments: [1, 2, 3, 7, 127, 128], [1, 3, 16, 32, 200])
  func `the shares of each part add up to one`(cellCount: Int, partCount: Int) {
    let axis = GridAxis(decodedLength: cellCount, sourceLength: cellCount * 8 - 3, scale: 8)
    let overlaps = Overlap.all(between: axis.extents, andPartsCount: partCount)
    for part in 0..<partCount {
      let shares = overlaps.filter { $0.part == part }.map(\.share)
      #expect(abs(shares.reduce(0, +) - 1) < 1e-5)
    }
    #expect(Set(overlaps.map(\.cell)).count == cellCount)
  }

  @Test func `a cell counts by how much of it lies in a part`() {
    let overlaps = Overlap.all(between: [0..<1, 1..<4], andPartsCount: 2)
    #expect(
      overlaps == [
        Overlap(cell: 0, part: 0, share: 0.5), Overlap(cell: 1, part: 0, share: 0.5),
        Overlap(cell: 1, part: 1, share: 1),
      ])
  }
}
