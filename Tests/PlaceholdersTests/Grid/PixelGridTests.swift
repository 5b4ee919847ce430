import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridTests {
  /// The means of equal parts, with each pixel split into `width` × `height` pieces that belong to one part each.
  private static func means(of grid: PixelGrid, width: Int, height: Int) -> [SIMD3<Double>] {
    func cells(_ extents: [Range<Int>]) -> [Int] {
      extents.enumerated().flatMap { Array(repeating: $0, count: $1.count) }
    }
    let (columns, rows) = (cells(grid.columns), cells(grid.rows))
    var sums = Array(repeating: SIMD3<Double>.zero, count: width * height)
    for y in 0..<rows.count * height {
      for x in 0..<columns.count * width {
        let cell = grid.light[rows[y / height] * grid.columnCount + columns[x / width]].xyz
        sums[y / rows.count * width + x / columns.count] += SIMD3<Double>(cell)
      }
    }
    return sums.map { $0 / Double(rows.count * columns.count) }
  }

  @Test(
    arguments: [(12, 9), (31, 17), (130, 7), (1, 5), (300, 200)],
    [(1, 1), (3, 3), (4, 5), (24, 24), (67, 100)])
  func `the mean of an area equals the mean of its pixels`(size: (Int, Int), parts: (Int, Int))
    throws
  {
    let grid = PixelGrid.noise(width: size.0, height: size.1)
    let means = try grid.areaMeans(width: parts.0, height: parts.1)
    let expected = Self.means(of: grid, width: parts.0, height: parts.1)
    #expect(means.count == expected.count)
    for (mean, expected) in zip(means, expected) {
      let difference = SIMD3<Double>(mean) - expected
      #expect((difference * difference).sum() < 1e-12)
    }
  }

  /// The stored pixel that is displayed at a position.
  ///
  /// Source: Exif 2.32, tag 0x0112.
  private static func stored(
    shownAt x: Int, _ y: Int, orientation: Int, width: Int, height: Int
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
  func `orienting a grid moves its pixels as Exif defines`(value: Int) throws {
    let orientation = try #require(ImageOrientation(rawValue: value))
    let grid = PixelGrid.noise(width: 5, height: 3)
    let upright = grid.oriented(orientation)
    try #require(upright.columnCount == (value > 4 ? 3 : 5))
    try #require(upright.rowCount == (value > 4 ? 5 : 3))
    for y in 0..<upright.rowCount {
      for x in 0..<upright.columnCount {
        let stored = Self.stored(shownAt: x, y, orientation: value, width: 5, height: 3)
        #expect(
          upright.light[y * upright.columnCount + x].xyz
            == grid.light[stored.y * 5 + stored.x].xyz)
      }
    }
  }

  @Test func `mirroring a grid mirrors the extents of its cells`() {
    let grid = PixelGrid(
      columnBounds: [0, 7, 9], rowBounds: [0, 1, 6],
      light: Array(repeating: [1, 1, 1, 0], count: 4))
    #expect(grid.oriented(.down).columns == [0..<2, 2..<9])
    #expect(grid.oriented(.down).rows == [0..<5, 5..<6])
    #expect(grid.oriented(.right).columns == [0..<5, 5..<6])
    #expect(grid.oriented(.right).rows == [0..<7, 7..<9])
  }

  @Test func `a wrong number of cells traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelGrid(columnBounds: [0, 1], rowBounds: [0, 1], light: [])
    }
  }
}

@Suite struct PixelGridPixelsTests {
  /// The PNG fixtures without metadata that changes their pixels, in formats that `PlainPNG` decodes.
  private static let fixtures = Result {
    try Fixtures.names().filter { name in
      guard name.hasSuffix(".png"), let file = try? PlainPNG(try Fixtures.bytes(name)) else {
        return false
      }
      // An animation's first frame can be another image than that of its IDAT chunks.
      let metadata = ["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "eXIf", "tRNS", "fdAT"]
      return file.format != nil && file.width * file.height <= 1 << 17
        && !file.chunkTypes.contains(where: metadata.contains)
    }
  }

  @Test(arguments: try fixtures.get())
  func `a grid from pixels equals the grid of the decoded PNG file`(name: String) throws {
    let bytes = try Fixtures.bytes(name)
    let file = try PlainPNG(bytes)
    let format = try #require(file.format)
    let background = SRGBColor(red: 10, green: 200, blue: 90)
    var options = ImageDecoder.Options()
    options.background = background
    let grid = try PixelGrid(
      pixels: try file.samples(), width: file.width, height: file.height, format: format,
      background: background)
    #expect(grid == (try ImageDecoder(options: options).decode(bytes.span).grid))
  }

  @Test(arguments: PixelGrid.Format.allCases, [0, 1, 13])
  func `padding between rows is ignored`(format: PixelGrid.Format, padding: Int) throws {
    var random = LCG(seed: 5)
    let (width, height) = (7, 5)
    let rowByteCount = width * format.sampleCount
    let rows = (0..<height).map { _ in random.bytes(rowByteCount) }
    let padded = rows.flatMap { $0 + random.bytes(padding) }.dropLast(padding)
    let plain = try PixelGrid(
      pixels: Array(rows.joined()), width: width, height: height, format: format)
    #expect(
      try PixelGrid(
        pixels: Array(padded), width: width, height: height, format: format,
        bytesPerRow: rowByteCount + padding) == plain)
  }

  @Test func `a grid from a bitmap includes its alpha`() throws {
    var random = LCG(seed: 3)
    let pixels = random.bytes(31 * 17 * 4)
    let grid = PixelGrid(try RGBABitmap(width: 31, height: 17, pixels: pixels))
    #expect(try grid == PixelGrid(pixels: pixels, width: 31, height: 17, format: .rgba))
    #expect(!grid.isOpaque)
  }

  /// Pixels with straight alpha, whose products of color and alpha are integers.
  private static let straight: [UInt8] = [255, 0, 51, 255, 102, 255, 51, 5, 0, 0, 0, 0]

  @Test(
    arguments: [
      (.bgra, [51, 0, 255, 255, 51, 255, 102, 5, 0, 0, 0, 0]),
      (.premultipliedRGBA, [255, 0, 51, 255, 2, 5, 1, 5, 0, 0, 0, 0]),
      (.premultipliedBGRA, [51, 0, 255, 255, 1, 5, 2, 5, 9, 9, 9, 0]),
    ] as [(PixelGrid.Format, [UInt8])])
  func `the same pixels in any format with alpha produce equal grids`(
    format: PixelGrid.Format, pixels: [UInt8]
  ) throws {
    #expect(
      try PixelGrid(pixels: pixels, width: 3, height: 1, format: format)
        == PixelGrid(pixels: Self.straight, width: 3, height: 1, format: .rgba))
  }

  @Test func `gray pixels and equal RGB samples produce the same grid`() throws {
    let samples = Array(0...UInt8.max)
    #expect(
      try PixelGrid(pixels: samples, width: 32, height: 8, format: .gray)
        == PixelGrid(
          pixels: samples.flatMap { [$0, $0, $0] }, width: 32, height: 8, format: .rgb))
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 1), (1, .min)])
  func `a width or height below 1 is an error`(size: (Int, Int)) throws {
    let error = ImageSizeError.self
    let (width, height) = size
    #expect(throws: error) {
      try PixelGrid(pixels: [], width: width, height: height, format: .rgb)
    }
    #expect(throws: error) { try RGBABitmap(width: width, height: height, pixels: []) }
    let grid = PixelGrid(RGBABitmap.flat([1, 2, 3], width: 2, height: 2))
    #expect(throws: error) { try grid.bitmap(width: width, height: height) }
    #expect(throws: error) { try grid.areaMeans(width: width, height: height) }
    #expect(throws: error) { try BlurHash(encoding: grid).bitmap(width: width, height: height) }
    #expect(throws: error) { try LQIP(encoding: grid).bitmap(width: width, height: height) }
    #expect(throws: error) { try ThumbHash(encoding: grid).bitmap(width: width, height: height) }
    #expect(throws: error) { try CSSInteger(encoding: grid).bitmap(width: width, height: height) }
  }

  @Test func `too few pixel bytes trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = try PixelGrid(pixels: [0, 0, 0, 0, 0], width: 2, height: 1, format: .rgb)
    }
  }
}
