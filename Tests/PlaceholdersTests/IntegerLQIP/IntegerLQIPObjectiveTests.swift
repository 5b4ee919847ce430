import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct IntegerLQIPObjectiveTests {
  @Test(arguments: ["size-640x480.png", "two-colors.png", "jpeg-baseline-420.jpg"], [0x84, 0xC3])
  func `what is minimized is the distance of what is drawn`(name: String, index: Int) throws {
    let grid = try ImageDecoder().decode(fixture: name).grid
    let (levels, base, distance) = Planes.withScratch(count: IntegerLQIPObjective.scratchCount) {
      IntegerLQIPObjective(grid)
        .descend(from: [1, 2, 3, 0, 2, 1], over: IntegerLQIPBase(index: index), $0)
    }
    let drawn = PixelGrid(IntegerLQIP(levels: levels, base: base).bitmap(width: 6, height: 4))
    let expected = zip(drawn.cells, grid.areaMeans(width: 6, height: 4))
      .reduce(Float(0)) { sum, pair in
        let distance = Oklab(linear: pair.0).distance(to: Oklab(linear: pair.1))
        return sum + distance * distance
      }
    #expect(abs(distance - expected) < 0.03 * expected)
  }
}
