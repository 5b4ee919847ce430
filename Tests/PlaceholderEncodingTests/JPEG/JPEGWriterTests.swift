import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGWriterTests {
  /// Encodes a bitmap and decodes the file with libjpeg.
  private static func decoded(_ bitmap: RGBABitmap) throws -> RGBABitmap {
    let file = JPEGWriter.bytes(of: bitmap)
    let image = try ImageDecoder(options: .verifying).decode(file.span)
    #expect(image.warnings == [])
    #expect(image.grid.sourceWidth == bitmap.width && image.grid.sourceHeight == bitmap.height)
    return try image.grid.bitmap(width: bitmap.width, height: bitmap.height)
  }

  @Test(arguments: 1...32)
  func `a file of any size decodes to that size`(side: Int) throws {
    for other in [1, 7, 8, 9, 16, 17, 31, 32] {
      _ = try Self.decoded(.noise(width: side, height: other))
    }
  }

  @Test(arguments: [(8, 8), (16, 16), (24, 18), (13, 30), (32, 32)])
  func `gray samples match the definition of the format`(size: (Int, Int)) throws {
    let noise = RGBABitmap.noise(width: size.0, height: size.1)
    let gray = RGBABitmap(width: size.0, height: size.1) { y in
      { x in
        let sample = noise.pixels[(y * size.0 + x) * 4]
        // The image has a smooth and a rough part.
        return SIMD3(repeating: UInt8(x * 5 + y * 2) / 2 + sample / (x < 12 ? 8 : 2))
      }
    }
    let decoded = try Self.decoded(gray)
    for top in stride(from: 0, to: size.1, by: 8) {
      for left in stride(from: 0, to: size.0, by: 8) {
        let block = ReferenceBlock { x, y in
          let (x, y) = (min(left + x, size.0 - 1), min(top + y, size.1 - 1))
          return Double(gray.pixels[(y * size.0 + x) * 4])
        }
        guard !block.isTied else { continue }
        for y in top..<min(top + 8, size.1) {
          for x in left..<min(left + 8, size.0) {
            let sample = Double(decoded.pixels[(y * size.0 + x) * 4])
            #expect(abs(sample - block.decoded(x: x - left, y: y - top)) <= 1.5)
          }
        }
      }
    }
  }

  @Test(arguments: [[255, 0, 0], [0, 255, 0], [0, 0, 255], [250, 120, 30], [20, 90, 200]])
  func `colors survive encoding`(color: [Int]) throws {
    let bitmap = RGBABitmap(width: 20, height: 11) { _ in
      { _ in SIMD3(UInt8(color[0]), UInt8(color[1]), UInt8(color[2])) }
    }
    let decoded = try Self.decoded(bitmap)
    for (one, other) in zip(bitmap.rgb, decoded.rgb) {
      #expect(abs(Int(one) - Int(other)) <= 4)
    }
  }

  @Test func `encoding an image with a side above 32 pixels traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = JPEGWriter.bytes(of: .noise(width: JPEGWriter.maximumSide + 1, height: 1))
    }
  }
}
