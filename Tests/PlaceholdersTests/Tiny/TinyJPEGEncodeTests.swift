import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct TinyJPEGEncodeTests {
  /// Images that are hard to compress: noise, edges, saturated colors, extreme shapes.
  private static let hardToCompress: [PixelGrid] = {
    let colors: [SIMD3<Float>] = [
      .zero, .one, SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 1, 0), SIMD3(1, 0, 1),
    ]
    var grids = [(1, 1), (2, 1), (1, 9), (16, 8), (8, 16), (128, 128), (300, 7), (3, 200)]
      .map { PixelGrid.noise(width: $0.0, height: $0.1) }
    for width in [1, 2, 3, 5, 8, 13] {
      grids.append(PixelGrid(width: 64, height: 48) { x, _ in colors[x / width % 2] })
      grids.append(PixelGrid(width: 48, height: 64) { _, y in colors[2 + y / width % 2] })
      grids.append(PixelGrid(width: 64, height: 64) { x, y in colors[(x / width + y / width) % 7] })
    }
    for color in colors { grids.append(PixelGrid(width: 5, height: 4) { _, _ in color }) }
    return grids
  }()

  @Test(arguments: [16, 18, 20, 24])
  func `a tiny JPEG stays within its byte limit, rounded up to a multiple of three`(limit: Int)
    throws
  {
    for grid in Self.hardToCompress {
      let value = TinyJPEG(encoding: grid, maximumByteCount: limit)
      #expect(value.bytes.count <= (limit + 2) / 3 * 3 && value.bytes.count.isMultiple(of: 3))
      #expect(try TinyJPEG(parsing: value.description) == value)
    }
  }

  @Test func `a byte limit out of range is clamped`() {
    let grid = PixelGrid.noise(width: 60, height: 40)
    #expect(TinyJPEG(encoding: grid, maximumByteCount: 0).bytes.count <= 18)
    #expect(TinyJPEG(encoding: grid, maximumByteCount: .max).bytes.count <= 24)
  }

  @Test func `fitted coefficients are never farther from the image than rounded ones`() {
    for grid in Self.hardToCompress {
      let fit = TinyFit(objective: TinyObjective(grid), byteCount: 24)
      #expect(fit.best().distance <= fit.truncated(fit.start).distance)
    }
  }

  @Test func `the search counts as many bits as the scan has`() {
    for grid in Self.hardToCompress {
      let objective = TinyObjective(grid)
      var blocks = TinyFit(objective: objective, byteCount: 24).start
      for limit in [24, 20, 16, 22] {
        var model = TinyModel(TinyFit.Candidate(blocks, objective), objective)
        blocks.descend(&model, curvatureFactor: 0.37, bitLimit: limit * 8)
        let bytes = TinyScan.bytes(of: blocks.coefficients)
        let insertedCount = zip(bytes, bytes.dropFirst()).count { $0 == (0xff, 0) }
        #expect((blocks.bitCount + 7) / 8 == bytes.count - insertedCount)
      }
    }
  }

  @Test(arguments: [
    SIMD3<UInt8>(0, 0, 0), [255, 255, 255], [180, 180, 180], [200, 30, 60], [0, 0, 255],
  ])
  func `the tiny JPEG of a flat image is flat and has nearly the same color`(color: SIMD3<UInt8>)
    throws
  {
    let value = TinyJPEG(encoding: PixelGrid(.flat(color, width: 40, height: 30)))
    let drawn = try value.bitmap(width: 40, height: 30)
    #expect(drawn.spread == 0)
    let shown = Oklab(linear: drawn.linearRow(0)[0].xyz)
    let wanted = Oklab(linear: RGBABitmap.flat(color, width: 1, height: 1).linearRow(0)[0].xyz)
    #expect(shown.distance(to: wanted) < 0.03)
  }

  @Test func `the tiny JPEG of a gray image has no tint`() throws {
    let grid = PixelGrid(width: 60, height: 40) { x, y in
      SIMD3(repeating: Float((x * 7 + y * 3) % 60) / 60)
    }
    let drawn = try TinyJPEG(encoding: grid).bitmap(width: 30, height: 20)
    for pixel in stride(from: 0, to: drawn.pixels.count, by: 4) {
      #expect(drawn.pixels[pixel] == drawn.pixels[pixel + 1])
      #expect(drawn.pixels[pixel] == drawn.pixels[pixel + 2])
    }
  }

  @Test func `transposing an image transposes its tiny JPEG`() throws {
    let image = PixelGrid(width: 60, height: 40) { x, y in
      SIMD3(Float(x) / 60, Float(y) / 40, Float(x * y) / 2400)
    }
    let picture = try TinyJPEG(encoding: image).bitmap(width: 8, height: 8)
    let transposed = try TinyJPEG(encoding: image.oriented(.leftMirrored))
      .bitmap(width: 8, height: 8)
    let distance = (0..<64).reduce(0) { sum, pixel in
      let (y, x) = pixel.quotientAndRemainder(dividingBy: 8)
      let (one, other) = (picture.pixels[pixel * 4], transposed.pixels[(x * 8 + y) * 4])
      return sum + abs(Int(one) - Int(other))
    }
    #expect(distance < 64 * 12)
  }
}
