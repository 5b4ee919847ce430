import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

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
