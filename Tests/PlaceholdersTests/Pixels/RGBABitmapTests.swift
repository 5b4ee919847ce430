import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct RGBABitmapTests {
  @Test(arguments: 1...9)
  func `a bitmap drawn four pixels at a time is complete at any width`(width: Int) {
    let bitmap = RGBABitmap(width: width, height: 3) { y in
      SIMD4<UInt8>(repeating: UInt8(y))
    } quad: { row, quad in
      let columns = SIMD4<UInt8>(0, 1, 2, 3) &+ 4 &* UInt8(quad)
      return PixelQuad(red: columns, green: row, blue: columns &+ 100, alpha: row &+ columns)
    }
    let pixels = (0..<3 as Range<UInt8>).flatMap { y in (0..<UInt8(width)).map { (x: $0, y: y) } }
    #expect(bitmap.pixels == pixels.flatMap { [$0.x, $0.y, $0.x + 100, $0.x + $0.y] })
  }

  @Test(arguments: [([255, 255], true), ([255, 254], false), ([0, 255], false)])
  func `a bitmap is opaque if every alpha is 255`(alphas: [UInt8], isOpaque: Bool) throws {
    let bitmap = try RGBABitmap(width: 2, height: 1, pixels: alphas.flatMap { [1, 2, 3, $0] })
    #expect(bitmap.isOpaque == isOpaque)
  }

  @Test func `printing a bitmap or a grid prints its size and no samples`() throws {
    let bitmap = try RGBABitmap(width: 200, height: 1, pixels: Array(repeating: 7, count: 800))
    let grid = try PixelGrid(pixels: bitmap.pixels, width: 200, height: 1, format: .rgba)
    #expect("\([bitmap])" == "[RGBABitmap of 200x1 pixels]")
    #expect("\(grid)" == "PixelGrid of 128x1 cells for 200x1 pixels")
  }

  @Test func `a wrong number of samples traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = try RGBABitmap(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6])
    }
  }
}
