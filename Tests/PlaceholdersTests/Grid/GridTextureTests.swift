import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GridTextureTests {
  /// The light that texture compensation adds to each cell of a gray image.
  private static func lostLight(
    width: Int, height: Int, scale: Int = 8, sample: (_ x: Int, _ y: Int) -> UInt8
  ) throws -> [Float] {
    let columns = GridAxis(decodedLength: width, sourceLength: width * scale, scale: scale)
    let rows = GridAxis(decodedLength: height, sourceLength: height * scale, scale: scale)
    var texture = try #require(
      GridTexture(columns: columns, rows: rows, layout: .gray, curves: .sRGB, scale: scale))
    var counts = Array(repeating: 0, count: columns.count * rows.count)
    var light = Array(repeating: Float(0), count: columns.count * rows.count)
    for y in 0..<height {
      let row = (0..<width).map { sample($0, y) }
      texture.add(row, y: y)
      for x in 0..<width {
        let cell = rows.cell(of: y) * columns.count + columns.cell(of: x)
        counts[cell] += 1
        light[cell] += SRGB.linear[Int(row[x])]
      }
    }
    let grid = PixelGrid(
      columnBounds: columns.sourceBounds, rowBounds: rows.sourceBounds,
      light: counts.indices.map {
        let mean = light[$0] / Float(counts[$0])
        return SIMD4(mean, mean, mean, 0)
      })
    return zip(Self.compensated(grid, by: texture), grid.cells).map { $0.y - $1.y }
  }

  private static func compensated(_ grid: PixelGrid, by texture: GridTexture) -> [SIMD3<Float>] {
    var cells = grid.light
    texture.compensate(&cells)
    return cells.map(\.xyz)
  }

  @Test func `texture is measured only at a reduced scale, and never with alpha or in CMYK`() {
    let axis = GridAxis(decodedLength: 4, sourceLength: 32, scale: 8)
    func texture(_ layout: SampleLayout, scale: Int) -> GridTexture? {
      GridTexture(columns: axis, rows: axis, layout: layout, curves: .sRGB, scale: scale)
    }
    #expect(texture(.rgb, scale: 8) != nil)
    #expect(texture(.rgb, scale: 1) == nil)
    #expect(texture(.rgba, scale: 8) == nil)
    #expect(texture(.cmyk, scale: 8) == nil)
  }

  @Test(arguments: [(2, 0.2), (4, 0.4), (8, 0.55)] as [(Int, Float)])
  func `the texture compensation of a checkerboard is proportional to variance over mean`(
    scale: Int, share: Float
  ) throws {
    let (dark, bright) = (SRGB.linear[100], SRGB.linear[140])
    let lost = try Self.lostLight(width: 512, height: 512, scale: scale) { x, y in
      (x + y) % 2 == 0 ? 100 : 140
    }
    let half = (bright - dark) * (bright - dark) / 2
    let expected = share * half / ((dark + bright) / 2 + 0.0001)
    // Cells at the edges have fewer neighbors.
    let inner = lost.indices.filter { (1..<127).contains($0 / 128) && (1..<127).contains($0 % 128) }
    #expect(inner.allSatisfy { abs(lost[$0] / expected - 1) < 0.02 })
  }

  @Test
  func `each channel is compared with that of neighboring pixels, except across a missing row`()
    throws
  {
    let (width, height, missing) = (5, 7, 3)
    var random = LCG(seed: 6)
    let samples = random.bytes(width * height * 3)
    let columns = GridAxis(decodedLength: width, sourceLength: width * 8, scale: 8)
    let rows = GridAxis(decodedLength: height, sourceLength: height * 8, scale: 8)
    var texture = try #require(
      GridTexture(columns: columns, rows: rows, layout: .rgb, curves: .sRGB, scale: 8))
    for y in 0..<height where y != missing {
      texture.add(Array(samples[y * width * 3..<(y + 1) * width * 3]), y: y)
    }
    func light(_ x: Int, _ y: Int, _ channel: Int) -> Float {
      SRGB.linear[Int(samples[(y * width + x) * 3 + channel])]
    }
    let grid = PixelGrid(
      columnBounds: columns.sourceBounds, rowBounds: rows.sourceBounds,
      light: Array(repeating: [0.5, 0.5, 0.5, 0], count: width * height))
    for (cell, color) in Self.compensated(grid, by: texture).enumerated() {
      let (y, x) = cell.quotientAndRemainder(dividingBy: width)
      for channel in 0..<3 {
        let neighbors = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].filter {
          (0..<width).contains($0.0) && (0..<height).contains($0.1) && $0.1 != missing
        }
        let squares = neighbors.map { neighbor in
          let difference = light(x, y, channel) - light(neighbor.0, neighbor.1, channel)
          return difference * difference
        }
        let lost = y == missing ? 0 : 0.55 * squares.reduce(0, +) / 8 / 0.5001
        #expect(abs(color[channel] - 0.5 - min(lost, 0.15)) < 1e-5)
      }
    }
  }
}
