import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct IntegerLQIPTests {
  @Test func `colors give the integers of the inventor's formulas`() throws {
    let rows = try Fixtures.table("integer-lqip.tsv")
    #expect(rows.count == 200)
    for row in rows {
      let base = try #require(row["base"].flatMap { SRGBColor(hex: $0) })
      let cells = (row["cells"] ?? "").split(separator: ",").compactMap {
        SRGBColor(hex: String($0))
      }
      #expect(IntegerLQIP(base: base, cells: cells).description == row["integer"])
    }
  }

  @Test(arguments: ["192900", "-524288", "524287", "0", "-1"])
  func `an integer is read and written again`(text: String) throws {
    #expect(try #require(IntegerLQIP(text)).description == text)
  }

  @Test(arguments: ["", "524288", "-524289", "+1", "01", "-0", "1.0", "1e3", "#192900", " 1"])
  func `any other text is refused`(text: String) {
    #expect(IntegerLQIP(text) == nil)
  }

  @Test func `fields are packed where they are unpacked`() throws {
    for value in stride(from: IntegerLQIP.range.lowerBound, through: 524_287, by: 997) {
      let lqip = try #require(IntegerLQIP(value))
      #expect(IntegerLQIP(levels: lqip.levels, base: lqip.base) == lqip)
    }
    // The value of the article's first example.
    let example = try #require(IntegerLQIP(192_900))
    #expect(example.levels == [2, 2, 3, 3, 0, 1])
    #expect(example.base.index == 0x84)
  }

  @Test(arguments: ["size-640x480.png", "two-colors.png", "white.png", "jpeg-baseline-420.jpg"])
  func `what is fitted comes closer than what the formulas give`(name: String) throws {
    let grid = try ImageDecoder().decode(fixture: name).grid
    let cells = grid.areaMeans(width: 3, height: 2).map { SRGBColor(linear: $0) }
    let plain = IntegerLQIP(base: grid.averageColor, cells: cells)
    #expect(
      Self.distance(IntegerLQIP(fitting: grid), grid) <= Self.distance(plain, grid) * 1.02)
  }

  /// The mean squared distance in OKLab over 24 by 16 points.
  private static func distance(_ lqip: IntegerLQIP, _ grid: PixelGrid) -> Float {
    let drawn = PixelGrid(lqip.bitmap(width: 24, height: 16))
    let points = zip(drawn.cells, grid.areaMeans(width: 24, height: 16))
    return points.reduce(0) { sum, pair in
      let distance = Oklab(linear: pair.0).distance(to: Oklab(linear: pair.1))
      return sum + distance * distance
    }
  }

  @Test(arguments: [0, 60, 128, 255] as [UInt8])
  func `a gray image has a gray base`(sample: UInt8) {
    let gray = SRGBColor(red: sample, green: sample, blue: sample)
    let grid = PixelGrid(width: 30, height: 20) { _, _ in gray.linear }
    let drawn = IntegerLQIP(fitting: grid).bitmap(width: 3, height: 2).samples
    for pixel in stride(from: 0, to: drawn.count, by: 3) {
      #expect(abs(Int(drawn[pixel]) - Int(drawn[pixel + 1])) <= 1)
      #expect(abs(Int(drawn[pixel]) - Int(drawn[pixel + 2])) <= 1)
    }
  }
}
