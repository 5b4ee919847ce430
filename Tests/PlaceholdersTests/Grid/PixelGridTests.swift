import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridTests {
  /// The means of equal parts, computed from pixels that are each divided into as many pieces as parts.
  private static func means(of grid: PixelGrid, width: Int, height: Int) -> [SIMD3<Double>] {
    let columns = grid.columns.indices.flatMap {
      Array(repeating: $0, count: grid.columns[$0].count)
    }
    let rows = grid.rows.indices.flatMap { Array(repeating: $0, count: grid.rows[$0].count) }
    var sums = Array(repeating: SIMD3<Double>.zero, count: width * height)
    for y in 0..<rows.count * height {
      for x in 0..<columns.count * width {
        let cell = grid.light[rows[y / height] * grid.columns.count + columns[x / width]].xyz
        sums[y / rows.count * width + x / columns.count] += SIMD3<Double>(cell)
      }
    }
    return sums.map { $0 / Double(rows.count * columns.count) }
  }

  @Test(
    arguments: [(12, 9), (31, 17), (130, 7), (1, 5), (300, 200)],
    [(1, 1), (3, 3), (4, 5), (24, 24), (67, 100)])
  func `the mean of an area equals the mean of its pixels`(size: (Int, Int), parts: (Int, Int)) {
    let grid = PixelGrid.noise(width: size.0, height: size.1)
    let means = grid.areaMeans(width: parts.0, height: parts.1)
    let expected = Self.means(of: grid, width: parts.0, height: parts.1)
    #expect(means.count == expected.count)
    for (mean, expected) in zip(means, expected) {
      let difference = SIMD3<Double>(mean) - expected
      #expect((difference * difference).sum() < 1e-12)
    }
  }

  @Test func `the average weights cells by their pixel count`() {
    let grid = PixelGrid(
      columns: [0..<1, 1..<4], rows: [0..<2], cells: [[1, 0, 0.5], [0, 1, 0.5]])
    #expect(grid.average == [0.25, 0.75, 0.5])
  }

  @Test func `a grid stores the size of its source`() {
    let grid = PixelGrid.noise(width: 1001, height: 3)
    #expect(grid.sourceWidth == 1001)
    #expect(grid.sourceHeight == 3)
    #expect(grid.columns.count == 127)
    #expect(grid.rows.count == 3)
  }

  /// The stored pixel that is displayed at a position.
  ///
  /// Source: Exif 2.32, tag 0x0112.
  private static func stored(
    seenAt x: Int, _ y: Int, orientation: Int, width: Int, height: Int
  ) -> (x: Int, y: Int) {
    switch orientation {
    case 2: (width - 1 - x, y)
    case 3: (width - 1 - x, height - 1 - y)
    case 4: (x, height - 1 - y)
    case 5: (y, x)
    case 6: (y, height - 1 - x)
    case 7: (width - 1 - y, height - 1 - x)
    case 8: (width - 1 - y, x)
    default: (x, y)
    }
  }

  @Test(arguments: 1...8)
  func `an oriented grid has its pixels where Exif defines them`(value: Int) throws {
    let orientation = try #require(Orientation(rawValue: value))
    let grid = PixelGrid.noise(width: 5, height: 3)
    let upright = grid.oriented(orientation)
    try #require(upright.columns.count == (value > 4 ? 3 : 5))
    try #require(upright.rows.count == (value > 4 ? 5 : 3))
    for y in upright.rows.indices {
      for x in upright.columns.indices {
        let stored = Self.stored(seenAt: x, y, orientation: value, width: 5, height: 3)
        #expect(
          upright.light[y * upright.columns.count + x].xyz
            == grid.light[stored.y * 5 + stored.x].xyz)
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8), (7, 7), (8, 6)])
  func `an orientation and its inverse restore the grid`(value: Int, opposite: Int) throws {
    // Cells have different extents, which must be oriented as well.
    let grid = PixelGrid(
      columns: [0..<7, 7..<9, 9..<20], rows: [0..<1, 1..<6],
      cells: PixelGrid.noise(width: 3, height: 2).cells)
    let turned = grid.oriented(try #require(Orientation(rawValue: value)))
    #expect(turned.oriented(try #require(Orientation(rawValue: opposite))) == grid)
    #expect(turned == grid || value != 1)
    #expect(turned != grid || value == 1)
  }

  @Test func `mirrored extents are counted from the other side`() {
    let grid = PixelGrid(
      columns: [0..<7, 7..<9], rows: [0..<1, 1..<6], cells: Array(repeating: .one, count: 4))
    #expect(grid.oriented(.down).columns == [0..<2, 2..<9])
    #expect(grid.oriented(.down).rows == [0..<5, 5..<6])
    #expect(grid.oriented(.right).columns == [0..<5, 5..<6])
    #expect(grid.oriented(.right).rows == [0..<7, 7..<9])
  }

  @Test func `a wrong number of cells traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelGrid(columns: [0..<1], rows: [0..<1], cells: [])
    }
  }
}

@Suite struct PixelGridPixelsTests {
  /// The fixtures without a color space that the independent decoder supports.
  private static let fixtures = Result {
    try Fixtures.names().filter { name in
      guard name.hasSuffix(".png"), let file = try? PlainPNG(try Fixtures.bytes(name)) else {
        return false
      }
      let described = ["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "eXIf", "tRNS"]
      return file.format != nil && file.width * file.height <= 1 << 17
        && !file.chunkTypes.contains(where: described.contains)
    }
  }

  @Test(arguments: try fixtures.get())
  func `pixels produce the same grid as the PNG decoder`(name: String) throws {
    let bytes = try Fixtures.bytes(name)
    let file = try PlainPNG(bytes)
    let format = try #require(file.format)
    let background = SRGBColor(red: 10, green: 200, blue: 90)
    var options = ImageDecoder.Options()
    options.background = background
    let grid = PixelGrid(
      pixels: try file.samples(), width: file.width, height: file.height, format: format,
      background: background)
    #expect(grid == (try ImageDecoder(options: options).decode(bytes.span).grid))
  }

  @Test func `the fixtures include RGB and RGBA`() throws {
    let formats = try Self.fixtures.get().map { try PlainPNG(try Fixtures.bytes($0)).format }
    #expect(formats.contains(.rgb) && formats.contains(.rgba))
  }

  @Test(arguments: [PixelFormat.rgb, .rgba], [0, 1, 13])
  func `padding between rows is ignored`(format: PixelFormat, padding: Int) {
    var random = LCG(seed: 5)
    let (width, height) = (7, 5)
    let rowByteCount = width * format.sampleCount
    let rows = (0..<height).map { _ in random.bytes(rowByteCount) }
    let padded = rows.flatMap { $0 + random.bytes(padding) }.dropLast(padding)
    let plain = PixelGrid(
      pixels: Array(rows.joined()), width: width, height: height, format: format)
    #expect(
      PixelGrid(
        pixels: Array(padded), width: width, height: height, format: format,
        bytesPerRow: rowByteCount + padding) == plain)
  }

  @Test func `the alpha of a bitmap is used`() {
    var random = LCG(seed: 3)
    let (samples, alphas) = (random.bytes(31 * 17 * 3), random.bytes(31 * 17))
    let pixels = alphas.indices.flatMap { samples[$0 * 3..<$0 * 3 + 3] + [alphas[$0]] }
    let grid = PixelGrid(Bitmap(width: 31, height: 17, samples: samples, alphas: alphas))
    #expect(grid == PixelGrid(pixels: pixels, width: 31, height: 17, format: .rgba))
    #expect(!grid.isOpaque)
  }

  @Test func `a bitmap and its pixels produce the same hash`() {
    let bitmap = Bitmap.noise(width: 31, height: 17)
    let components = ComponentCount(x: 4, y: 3)
    #expect(
      BlurHash(encoding: PixelGrid(bitmap), components: components)
        == BlurHash(encoding: bitmap, components: components))
  }

  @Test func `too few bytes trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelGrid(pixels: [0, 0, 0, 0, 0], width: 2, height: 1, format: .rgb)
    }
  }
}
