import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridTests {
  /// The means of equal parts, pixel by pixel, each cut into as many pieces as there are parts.
  private static func means(of grid: PixelGrid, width: Int, height: Int) -> [SIMD3<Double>] {
    let columns = grid.columns.indices.flatMap {
      Array(repeating: $0, count: grid.columns[$0].count)
    }
    let rows = grid.rows.indices.flatMap { Array(repeating: $0, count: grid.rows[$0].count) }
    var sums = Array(repeating: SIMD3<Double>.zero, count: width * height)
    for y in 0..<rows.count * height {
      for x in 0..<columns.count * width {
        let cell = grid.light[rows[y / height] * grid.columns.count + columns[x / width]].xyz
        sums[y / rows.count * width + x / columns.count] += SIMD3<Double>(cell)
      }
    }
    return sums.map { $0 / Double(rows.count * columns.count) }
  }

  @Test(
    arguments: [(12, 9), (31, 17), (130, 7), (1, 5), (300, 200)],
    [(1, 1), (3, 3), (4, 5), (24, 24), (67, 100)])
  func `the mean of an area is that of its pixels`(size: (Int, Int), parts: (Int, Int)) {
    let grid = PixelGrid.noise(width: size.0, height: size.1)
    let means = grid.areaMeans(width: parts.0, height: parts.1)
    let expected = Self.means(of: grid, width: parts.0, height: parts.1)
    #expect(means.count == expected.count)
    for (mean, expected) in zip(means, expected) {
      let difference = SIMD3<Double>(mean) - expected
      #expect((difference * difference).sum() < 1e-12)
    }
  }

  @Test func `the average weighs cells by their pixels`() {
    let grid = PixelGrid(
      columns: [0..<1, 1..<4], rows: [0..<2], cells: [[1, 0, 0.5], [0, 1, 0.5]])
    #expect(grid.average == [0.25, 0.75, 0.5])
  }

  @Test func `a grid knows the size of its source`() {
    let grid = PixelGrid.noise(width: 1001, height: 3)
    #expect(grid.sourceWidth == 1001)
    #expect(grid.sourceHeight == 3)
    #expect(grid.columns.count == 127)
    #expect(grid.rows.count == 3)
  }

  /// Source: Exif 2.32, tag 0x0112: which stored pixel is seen at a place.
  private static func stored(
    seenAt x: Int, _ y: Int, orientation: Int, width: Int, height: Int
  ) -> (x: Int, y: Int) {
    switch orientation {
    case 2: (width - 1 - x, y)
    case 3: (width - 1 - x, height - 1 - y)
    case 4: (x, height - 1 - y)
    case 5: (y, x)
    case 6: (y, height - 1 - x)
    case 7: (width - 1 - y, height - 1 - x)
    case 8: (width - 1 - y, x)
    default: (x, y)
    }
  }

  @Test(arguments: 1...8)
  func `a turned grid has each pixel where Exif says`(value: Int) throws {
    let orientation = try #require(Orientation(rawValue: value))
    let grid = PixelGrid.noise(width: 5, height: 3)
    let upright = grid.oriented(orientation)
    try #require(upright.columns.count == (value > 4 ? 3 : 5))
    try #require(upright.rows.count == (value > 4 ? 5 : 3))
    for y in upright.rows.indices {
      for x in upright.columns.indices {
        let stored = Self.stored(seenAt: x, y, orientation: value, width: 5, height: 3)
        #expect(
          upright.light[y * upright.columns.count + x].xyz
            == grid.light[stored.y * 5 + stored.x].xyz)
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8), (7, 7), (8, 6)])
  func `a turn and its opposite leave a grid as it was`(value: Int, opposite: Int) throws {
    // Cells of different extents, so that these have to be turned as well.
    let grid = PixelGrid(
      columns: [0..<7, 7..<9, 9..<20], rows: [0..<1, 1..<6],
      cells: PixelGrid.noise(width: 3, height: 2).cells)
    let turned = grid.oriented(try #require(Orientation(rawValue: value)))
    #expect(turned.oriented(try #require(Orientation(rawValue: opposite))) == grid)
    #expect(turned == grid || value != 1)
    #expect(turned != grid || value == 1)
  }

  @Test func `mirrored extents count from the other side`() {
    let grid = PixelGrid(
      columns: [0..<7, 7..<9], rows: [0..<1, 1..<6], cells: Array(repeating: .one, count: 4))
    #expect(grid.oriented(.down).columns == [0..<2, 2..<9])
    #expect(grid.oriented(.down).rows == [0..<5, 5..<6])
    #expect(grid.oriented(.right).columns == [0..<5, 5..<6])
    #expect(grid.oriented(.right).rows == [0..<7, 7..<9])
  }

  @Test func `a grid without a cell for each place is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelGrid(columns: [0..<1], rows: [0..<1], cells: [])
    }
  }
}
