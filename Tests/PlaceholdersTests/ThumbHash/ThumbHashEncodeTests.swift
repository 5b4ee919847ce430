import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ThumbHashEncodeTests {
  @Test func `hashes match an independent implementation byte for byte`() throws {
    let rows = try ThumbHashGolden.rows()
    #expect(rows.count == 500)
    #expect(rows.count { $0.hash.hasAlpha } > 200 && rows.count { !$0.hash.hasAlpha } > 200)
    for row in rows {
      let grid = try PixelGrid(
        pixels: row.samples, width: row.width, height: row.height, format: .rgba)
      #expect(ThumbHash(encoding: grid) == row.hash, "\(row.testDescription)")
    }
  }

  @Test(arguments: [
    (640, 480, 32, 24), (101, 1000, 3, 32), (3000, 2, 32, 1), (101, 99, 32, 31),
  ])
  func `an image with a side above 100 pixels is first averaged down to a long side of 32`(
    width: Int, height: Int, smallWidth: Int, smallHeight: Int
  ) throws {
    let grid = PixelGrid.noise(width: width, height: height)
    let small = try grid.bitmap(width: smallWidth, height: smallHeight)
    #expect(ThumbHash(encoding: grid) == ThumbHash(encoding: PixelGrid(small)))
  }

  @Test(arguments: [SRGBColor.white, .black, SRGBColor(red: 200, green: 10, blue: 90)])
  func `the color of a flat image survives a ThumbHash round trip`(color: SRGBColor) throws {
    let grid = PixelGrid(width: 40, height: 30) { _, _ in color.linear }
    let hash = ThumbHash(encoding: grid)
    let drawn = hash.averageColor
    #expect(
      try hash.bitmap(width: 2, height: 1).rgb == [
        drawn.red, drawn.green, drawn.blue, drawn.red, drawn.green, drawn.blue,
      ])
    for (one, other) in [
      (drawn.red, color.red), (drawn.green, color.green), (drawn.blue, color.blue),
    ] {
      #expect(abs(Int(one) - Int(other)) <= 8, "\(drawn)")
    }
  }

  @Test func `the background does not affect a ThumbHash`() throws {
    for row in try ThumbHashGolden.rows() where row.hash.hasAlpha {
      let grid = try PixelGrid(
        pixels: row.samples, width: row.width, height: row.height, format: .rgba,
        background: .black)
      #expect(ThumbHash(encoding: grid) == row.hash, "\(row.testDescription)")
    }
  }
}
