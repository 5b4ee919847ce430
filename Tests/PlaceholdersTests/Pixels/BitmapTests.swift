import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BitmapTests {
  @Test(arguments: 1...9, [false, true])
  func `a bitmap drawn four pixels at a time is complete`(
    width: Int, hasAlpha: Bool
  ) {
    let bitmap = Bitmap(width: width, height: 3, hasAlpha: hasAlpha) { y in
      SIMD4<UInt8>(repeating: UInt8(y))
    } quad: { row, quad in
      let columns = SIMD4<UInt8>(0, 1, 2, 3) &+ 4 &* UInt8(quad)
      return PixelQuad(red: columns, green: row, blue: columns &+ 100, alpha: row &+ columns)
    }
    let pixels = (0..<3 as Range<UInt8>).flatMap { y in (0..<UInt8(width)).map { (x: $0, y: y) } }
    #expect(bitmap.samples == pixels.flatMap { [$0.x, $0.y, $0.x + 100] })
    #expect(bitmap.alphas == (hasAlpha ? pixels.map { $0.x + $0.y } : []))
  }

  @Test func `alpha follows the samples of each pixel`() {
    let samples: [UInt8] = [1, 2, 3, 4, 5, 6]
    #expect(Bitmap(width: 2, height: 1, samples: samples).interleaved == samples)
    #expect(
      Bitmap(width: 2, height: 1, samples: samples, alphas: [7, 8]).interleaved
        == [1, 2, 3, 7, 4, 5, 6, 8])
  }

  @Test func `a row is returned in linear light`() {
    let bitmap = Bitmap(width: 1, height: 2, samples: [0, 0, 0, 255, 188, 10])
    let row = bitmap.linearRow(1)
    #expect(row.count == 1)
    for (channel, sample) in [UInt8(255), 188, 10].enumerated() {
      #expect(abs(Double(row[0][channel]) - IEC61966.linear(ofSample: sample)) < 1e-6)
    }
  }

  @Test func `a bitmap without pixels traps`() async {
    await #expect(processExitsWith: .failure) { _ = Bitmap(width: 0, height: 1, samples: []) }
    await #expect(processExitsWith: .failure) { _ = Bitmap(width: 1, height: -1, samples: []) }
  }

  @Test func `a wrong number of samples traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap(width: 2, height: 1, samples: [1, 2, 3, 4, 5])
    }
  }
}
