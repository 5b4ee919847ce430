import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BitmapTests {
  @Test func `pixels made by row and column are stored row by row`() {
    let bitmap = Bitmap(width: 3, height: 2) { y in { x in SIMD3(UInt8(x), UInt8(y), 9) } }
    #expect(bitmap.samples == [0, 0, 9, 1, 0, 9, 2, 0, 9, 0, 1, 9, 1, 1, 9, 2, 1, 9])
  }

  @Test func `a row is given in linear light`() {
    let bitmap = Bitmap(width: 1, height: 2, samples: [0, 0, 0, 255, 188, 10])
    let row = bitmap.linearRow(1)
    #expect(row.count == 1)
    for (channel, sample) in [UInt8(255), 188, 10].enumerated() {
      #expect(abs(Double(row[0][channel]) - IEC61966.linear(ofSample: sample)) < 1e-6)
    }
  }

  @Test func `a bitmap without pixels is a programmer error`() async {
    await #expect(processExitsWith: .failure) { _ = Bitmap(width: 0, height: 1, samples: []) }
    await #expect(processExitsWith: .failure) { _ = Bitmap(width: 1, height: -1, samples: []) }
  }

  @Test func `a wrong number of samples is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap(width: 2, height: 1, samples: [1, 2, 3, 4, 5])
    }
  }
}
