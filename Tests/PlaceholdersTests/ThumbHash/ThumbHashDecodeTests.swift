import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ThumbHashDecodeTests {
  @Test(arguments: try ThumbHashGolden.rows().filter { $0.file != nil })
  func `a hash is drawn as by an independent implementation`(golden: ThumbHashGolden) throws {
    let file = try PlainPNG(try Fixtures.bytes(try #require(golden.file)))
    let size = (width: file.width, height: file.height)
    // That implementation takes no side for less than three terms, which the published one does.
    let least = 2.9 / (golden.hash.hasAlpha ? 5 : 7)
    if min(golden.hash.aspectRatio, 1 / golden.hash.aspectRatio) > least {
      #expect(golden.hash.bitmapSize == size)
    }
    let bitmap = golden.hash.bitmap(width: size.width, height: size.height)
    #expect(bitmap.alphas.isEmpty != golden.hash.hasAlpha)
    let expected = try file.samples()
    for pixel in 0..<size.width * size.height {
      let own =
        bitmap.samples[pixel * 3..<pixel * 3 + 3] + [
          bitmap.alphas.isEmpty ? 255 : bitmap.alphas[pixel]
        ]
      for (one, other) in zip(own, expected[pixel * 4..<pixel * 4 + 4]) {
        #expect(abs(Int(one) - Int(other)) <= 1, "pixel \(pixel)")
      }
    }
  }

  @Test func `the shape is that of the picture, as far as it is told`() throws {
    for golden in try ThumbHashGolden.rows() {
      let ratio = Double(golden.width) / Double(golden.height)
      let told = golden.hash.aspectRatio
      #expect((told > 1) == (ratio > 1 && told != 1))
      let most = golden.hash.hasAlpha ? 5.0 : 7.0
      let error = abs(min(ratio, 1 / ratio) - min(told, 1 / told))
      #expect(error <= max(1 / most, 0.5 / most + 1e-9), "\(golden.testDescription)")
    }
  }
}
