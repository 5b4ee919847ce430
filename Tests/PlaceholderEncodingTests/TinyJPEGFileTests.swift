import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

/// Compares renderings of tiny JPEGs with libjpeg-turbo, the decoder of Chromium and Firefox.
@Suite struct TinyJPEGFileTests {
  /// The pixels that libjpeg-turbo decodes from a complete file.
  private static func decoded(_ value: TinyJPEG) throws -> RGBABitmap {
    let file = value.file
    let image = try ImageDecoder(options: .verifying).decode(file.span)
    #expect(image.format == .jpeg && image.warnings == [])
    return image.grid.pixels
  }

  private static func drawn(_ value: TinyJPEG) throws -> RGBABitmap {
    try value.bitmap(width: TinyJPEG.side, height: TinyJPEG.side)
  }

  @Test(arguments: try Fixtures.names())
  func `libjpeg-turbo decodes a tiny JPEG to the rendered pixels`(name: String) throws {
    let grid = try ImageDecoder().decode(fixture: name).grid
    for limit in [16, 24] {
      let value = TinyJPEG(encoding: grid, maximumByteCount: limit)
      #expect(try Self.decoded(value).maximumDifference(from: try Self.drawn(value)) <= 3)
    }
  }

  @Test func `a mutated value is rejected or matches libjpeg-turbo`() throws {
    var random = LCG(seed: 30)
    var pictureCount = 0
    let names = ["size-640x480.png", "jpeg-baseline-420.jpg", "size-31x57.png", "black.png"]
    for name in names {
      let grid = try ImageDecoder().decode(fixture: name).grid
      let value = TinyJPEG(encoding: grid)
      for _ in 0..<1000 {
        var bytes = value.bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = Int.random(in: bytes.indices, using: &random)
          bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        guard let mutated = try? TinyJPEG(bytes: bytes) else { continue }
        #expect(mutated.bytes == bytes)
        #expect(try Self.decoded(mutated).maximumDifference(from: try Self.drawn(mutated)) <= 3)
        pictureCount += 1
      }
    }
    #expect(pictureCount > 50)
  }

  @Test func `random bytes are rejected or rendered`() throws {
    var random = LCG(seed: 31)
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 0...8, using: &random) * 3)
      guard let value = try? TinyJPEG(bytes: bytes) else { continue }
      #expect(try value.bytes == bytes && Self.drawn(value).height == 8)
    }
  }

  @Test func `a rendered tiny JPEG is enlarged bilinearly`() throws {
    let grid = try ImageDecoder().decode(fixture: "size-640x480.png").grid
    let value = TinyJPEG(encoding: grid)
    let (small, large) = (try Self.drawn(value), try value.bitmap(width: 16, height: 16))
    // Corners repeat the outer pixels; between four pixels, each one is weighted by its distance.
    #expect(large.pixels[0..<4] == small.pixels[0..<4])
    func sample(_ x: Int, _ y: Int) -> Float { Float(small.pixels[(y * 8 + x) * 4]) }
    let expected = (9 * sample(0, 0) + 3 * sample(1, 0) + 3 * sample(0, 1) + sample(1, 1)) / 16
    #expect(abs(Float(large.pixels[(large.width + 1) * 4]) - expected) <= 0.51)
  }
}
