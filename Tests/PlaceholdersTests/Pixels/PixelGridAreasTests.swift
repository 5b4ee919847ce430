import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridAreasTests {
  @Test func `as many areas as pixels are the pixels themselves`() {
    let grid = PixelGrid.noise(width: 31, height: 17)
    let points = grid.points(width: 31, height: 17)
    #expect(points.map { $0.xyz } == grid.cells)
  }

  @Test func `equal channels stay equal`() {
    let grid = PixelGrid(width: 100, height: 70) { x, y in
      SIMD3(repeating: Float(x * y % 97) / 97)
    }
    for point in grid.points(width: 24, height: 24) {
      #expect(point.x == point.y && point.y == point.z)
    }
  }

  @Test func `no light is negative beside bright light`() {
    let stripes: [SIMD3<Float>] = [.one, .zero, SIMD3(0.0003, 1, 0), SIMD3(1, 0.01, 0.3)]
    let grid = PixelGrid(width: 127, height: 111) { x, y in stripes[(x / 3 + y / 5) % 4] }
    for side in [5, 24, 31, 32, 48] {
      let points = grid.points(width: side, height: side)
      #expect(points.allSatisfy { $0.min() >= 0 })
    }
  }

  @Test(arguments: [1, 2, 4, 128] as [UInt8])
  func `a color is the same all over, however transparent`(alpha: UInt8) {
    let pixel: [UInt8] = [60, 30, 10, alpha]
    let pixels = (0..<300 * 200).flatMap { _ in pixel }
    let grid = PixelGrid(pixels: pixels, width: 300, height: 200, format: .rgba)
    let bitmap = grid.bitmap(width: 24, height: 16)
    #expect(Set(bitmap.alphas) == [alpha])
    #expect(
      Set(stride(from: 0, to: bitmap.samples.count, by: 3).map { bitmap.samples[$0] }).count == 1)
    #expect(zip(bitmap.samples, bitmap.samples.dropFirst(3)).allSatisfy { $0 == $1 })
  }
}
