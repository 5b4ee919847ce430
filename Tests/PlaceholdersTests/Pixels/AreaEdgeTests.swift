import Testing

@testable import Placeholders

@Suite struct AreaEdgeTests {
  @Test func `edges lie in the cells that they cut`() {
    // Ten pixels in three cells, and in four parts of two and a half.
    let edges = AreaEdge.all(of: [0..<4, 4..<8, 8..<10], partCount: 4)
    let places = edges.map { Float($0.cell) + $0.fraction }
    #expect(places == [0, 0.625, 1.25, 1.875, 3])
  }

  @Test(arguments: [1, 2, 7, 24, 128], [1, 3, 24, 1000])
  func `the first and the last are the ends of the axis`(cellCount: Int, partCount: Int) throws {
    let extents = (0..<cellCount).map { $0 * 5..<$0 * 5 + 5 }
    let edges = AreaEdge.all(of: extents, partCount: partCount)
    #expect(edges.count == partCount + 1)
    #expect(edges[0].cell == 0 && edges[0].fraction == 0)
    #expect(edges[partCount].cell == cellCount - 1 && edges[partCount].fraction == 1)
  }
}
