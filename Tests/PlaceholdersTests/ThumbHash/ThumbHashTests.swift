import Foundation
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

@Suite struct ThumbHashDecodeTests {
  @Test(arguments: try ThumbHashGolden.rows().filter { $0.file != nil })
  func `a rendering matches an independent implementation`(golden: ThumbHashGolden) throws {
    let file = try PlainPNG(try Fixtures.bytes(try #require(golden.file)))
    let size = (width: file.width, height: file.height)
    // Unlike the published implementation, the independent one uses at least three terms per side.
    let least = 2.9 / (golden.hash.hasAlpha ? 5 : 7)
    if min(golden.hash.aspectRatio, 1 / golden.hash.aspectRatio) > least {
      #expect(golden.hash.bitmapSize == size)
    }
    let bitmap = try golden.hash.bitmap(width: size.width, height: size.height)
    #expect(bitmap.isOpaque || golden.hash.hasAlpha)
    let expected = try file.samples()
    for pixel in 0..<size.width * size.height {
      let own = bitmap.pixels[pixel * 4..<pixel * 4 + 4]
      for (one, other) in zip(own, expected[pixel * 4..<pixel * 4 + 4]) {
        #expect(abs(Int(one) - Int(other)) <= 1, "pixel \(pixel)")
      }
    }
  }
}

@Suite struct ThumbHashStringTests {
  @Test func `a ThumbHash string survives a round trip`() throws {
    for row in try Fixtures.table("thumbhash/hashes.tsv") {
      let text = try #require(row["hash"])
      let hash = try ThumbHash(parsing: text)
      #expect(hash.description == text)
      #expect(hash.bytes == Data(base64Encoded: text).map { Array($0) })
    }
  }

  @Test(arguments: [
    ("", ThumbHash.ParsingError.tooShort(byteCount: 0)),
    ("AAAAAA==", .tooShort(byteCount: 4)),
    ("no hash!", .notBase64),
    ("AAAAAAA", .notBase64),
    ("AAAAAAA=", .noShape(0)),
    ("AAAABwA=", .wrongLength(expected: 24, actual: 5)),
    ("AACABgA=", .noShape(6)),
    ("AACAAwA=", .wrongLength(expected: 23, actual: 5)),
  ])
  func `a string that no ThumbHash encoder produces is rejected`(
    text: String, error: ThumbHash.ParsingError
  ) {
    #expect(throws: error) { try ThumbHash(parsing: text) }
  }
}
