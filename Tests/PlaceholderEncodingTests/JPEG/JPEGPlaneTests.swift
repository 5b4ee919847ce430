import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGPlaneTests {
  @Test(arguments: [(1, 1), (8, 8), (9, 17), (32, 5)])
  func `padding repeats the last column and row`(size: (Int, Int)) {
    let bitmap = RGBABitmap.noise(width: size.0, height: size.1)
    let plane = JPEGPlane.planes(of: bitmap).luma
    #expect(plane.blockColumns == (size.0 + 7) / 8 && plane.blockRows == (size.1 + 7) / 8)
    let length = plane.blockColumns * 8
    #expect(plane.samples.count == length * plane.blockRows * 8)
    for (index, sample) in plane.samples.enumerated() {
      let (x, y) = (min(index % length, size.0 - 1), min(index / length, size.1 - 1))
      let pixel = bitmap.pixels[(y * size.0 + x) * 4..<(y * size.0 + x) * 4 + 3].map(Float.init)
      let luma = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
      #expect(abs(sample - (luma - 128)) < 1e-3)
    }
  }

  @Test(arguments: [(2, 2), (5, 3), (32, 31)])
  func `chroma is the mean of four pixels`(size: (Int, Int)) {
    let bitmap = RGBABitmap.noise(width: size.0, height: size.1)
    let planes = JPEGPlane.planes(of: bitmap)
    let length = planes.cb.blockColumns * 8
    for y in 0..<(size.1 + 1) / 2 {
      for x in 0..<(size.0 + 1) / 2 {
        var (blue, red): (Float, Float) = (0, 0)
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let column = min(x * 2 + column, size.0 - 1)
          let first = (min(y * 2 + row, size.1 - 1) * size.0 + column) * 4
          let pixel = bitmap.pixels[first..<first + 3].map(Float.init)
          let luma = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
          blue += (pixel[2] - luma) / 1.772 / 4
          red += (pixel[0] - luma) / 1.402 / 4
        }
        #expect(abs(planes.cb.samples[y * length + x] - blue) < 1e-3)
        #expect(abs(planes.cr.samples[y * length + x] - red) < 1e-3)
      }
    }
  }
}
