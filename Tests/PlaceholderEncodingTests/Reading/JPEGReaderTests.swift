import CPlaceholderCodecs
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGReaderTests {
  private static func grid(
    _ fixture: String, _ options: ImageDecoder.Options = ImageDecoder.Options()
  ) throws -> PixelGrid {
    try ImageDecoder(options: options).decode(fixture: fixture).grid
  }

  /// The largest power of two, up to 8, that divides the bounds of all cells.
  private static func scale(of grid: PixelGrid) -> Int {
    let bounds = grid.columns.map(\.lowerBound) + grid.rows.map(\.lowerBound)
    return [8, 4, 2].first { scale in bounds.allSatisfy { $0 % scale == 0 } } ?? 1
  }

  @Test(arguments: [
    ("jpeg-baseline-420.jpg", 1), ("jpeg-half-scale-560x520.jpg", 4),
    ("jpeg-quarter-scale-1100x1040.jpg", 8), ("jpeg-eighth-scale-2100x2060.jpg", 8),
    ("jpeg-half-scale-restart-560x520.jpg", 4), ("jpeg-long-codes-272x264.jpg", 4),
    ("jpeg-progressive.jpg", 1), ("jpeg-progressive-dc-only-400x264.jpg", 4),
    ("jpeg-progressive-dc-only-scans-apart-264x300.jpg", 4),
  ])
  func `the decoding scale depends on the size`(fixture: String, scale: Int) throws {
    #expect(try Self.scale(of: Self.grid(fixture)) == scale)
  }

  @Test(arguments: [
    "jpeg-half-scale-560x520.jpg", "jpeg-quarter-scale-1100x1040.jpg",
    "jpeg-eighth-scale-2100x2060.jpg", "jpeg-progressive-dc-only-400x264.jpg",
    "jpeg-progressive-dc-only-scans-apart-264x300.jpg",
    "jpeg-progressive-dc-only-refined-last-300x280.jpg",
    "jpeg-progressive-dc-only-gray-272x260.jpg", "jpeg-progressive-dc-only-rgb-272x260.jpg",
    "jpeg-progressive-dc-only-cmyk-264x272.jpg", "jpeg-progressive-dc-only-ycck-264x272.jpg",
  ])
  func `a scaled decode resembles a decode at full size`(fixture: String) throws {
    #expect(try Self.distance(ofScaled: fixture, side: 32) < 0.005)
  }

  @Test func `the light of a block follows from its longest codes`() throws {
    let fixture = "jpeg-long-codes-272x264.jpg"
    // The mean light of each row of blocks.
    let full = try Self.grid(fixture, .exact).areaMeans(width: 1, height: 33)
    let scaled = try Self.grid(fixture).areaMeans(width: 1, height: 33)
    #expect(zip(full, scaled).allSatisfy { abs($0.y - $1.y) < 0.01 })
  }

  /// The fixture's red and blue change by 0.6 within 48 pixels, which is one unit here.
  @Test func `subsampled color has the slope of its neighbors`() throws {
    let grid = try Self.grid("jpeg-ramps-272x264.jpg")
    func expected(_ cells: Range<Int>, of length: Int) -> Float? {
      let middle = Float(cells.lowerBound + cells.upperBound) / 2 / 48
      let phase = middle.truncatingRemainder(dividingBy: 1)
      // The slope ends at the edges of the image, and changes at whole numbers.
      let isInside = 8...length - 8 ~= cells.lowerBound && cells.upperBound <= length - 8
      guard isInside, phase < 2 / 3, phase > 1 / 3 || middle < 1 else { return nil }
      return 0.2 + 0.6 * abs(middle.truncatingRemainder(dividingBy: 2) - 1)
    }
    var largest: Float = 0
    for (y, row) in grid.rows.enumerated() {
      for (x, column) in grid.columns.enumerated() {
        guard let red = expected(column, of: grid.sourceWidth),
          let blue = expected(row, of: grid.sourceHeight)
        else { continue }
        let cell = SRGB.samples(ofLinear: grid.cells[y * grid.columnCount + x])
        largest = max(largest, abs(Float(cell.x) / 255 - red), abs(Float(cell.z) / 255 - blue))
      }
    }
    #expect(largest < 0.015)
  }

  /// Parts of 33 pixels and more, which contain several periods of the patterns.
  @Test(arguments: [
    ("grainy-progressive-272x264", 0.007), ("textured-264x272", 0.003),
    ("textured-progressive-264x272", 0.006), ("stripes-528x520", 0.01),
    ("stripes-progressive-272x264", 0.006), ("halftone-progressive-272x264", 0.03),
    ("lines-progressive-272x264", 0.06), ("grid-progressive-272x264", 0.06),
    ("bricks-progressive-272x264", 0.02),
  ])
  func `a scaled decode of fine texture has the mean light of its pixels`(
    name: String, limit: Float
  ) throws {
    #expect(try Self.distance(ofScaled: "jpeg-\(name).jpg", side: 8) < limit)
  }

  @Test func `only a large progressive image with texture is read beyond its upper eighth`() throws
  {
    for (fixture, isRead) in [("faint-bars", false), ("bars", true)] {
      let bytes = try Fixtures.bytes("jpeg-\(fixture)-progressive-2100x2060.jpg")
      let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
      // The middle of the first scan of AC coefficients.
      let cut = try ImageDecoder().decode(Array(bytes[..<((scans[1] + scans[2]) / 2)]))
      #expect(try (cut.grid != ImageDecoder().decode(bytes).grid) == isRead)
    }
  }

  @Test func `a large progressive image with texture has the mean light of its pixels`() throws {
    let fixture = "jpeg-bars-progressive-2100x2060.jpg"
    let full = try Self.grid(fixture, .exact).areaMeans(width: 1, height: 103)
    let scaled = try Self.grid(fixture).areaMeans(width: 1, height: 103)
    // The lowest 20 rows of pixels, which have texture.
    #expect(Oklab(linear: scaled[102]).distance(to: Oklab(linear: full[102])) < 0.02)
  }

  /// Returns the mean distance between the parts of a grid and those of the grid at full size.
  private static func distance(ofScaled fixture: String, side: Int) throws -> Float {
    let full = try grid(fixture, .exact)
    let scaled = try grid(fixture)
    let distances = try zip(
      scaled.areaMeans(width: side, height: side), full.areaMeans(width: side, height: side)
    ).map { Oklab(linear: $0).distance(to: Oklab(linear: $1)) }
    return distances.reduce(0, +) / Float(distances.count)
  }

  /// Decodes an image from a pipe, whose size is unknown.
  private static func gridThroughPipe(_ bytes: [UInt8]) throws -> PixelGrid {
    let pipe = Pipe()
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    return try ImageDecoder()
      .decode(fileDescriptor: pipe.fileHandleForReading.fileDescriptor).grid
  }

  private static func gridOfFile(_ bytes: [UInt8]) throws -> PixelGrid {
    let directory = TemporaryDirectory()
    let path = try directory.write("image.jpg", bytes)
    let file = try #require(FileHandle(forReadingAtPath: path))
    return try ImageDecoder().decode(fileDescriptor: file.fileDescriptor).grid
  }

  @Test(arguments: [
    "jpeg-textured-264x272.jpg", "jpeg-textured-progressive-264x272.jpg",
    "jpeg-half-scale-560x520.jpg", "jpeg-progressive-dc-only-400x264.jpg",
    "jpeg-stripes-528x520.jpg", "jpeg-halftone-progressive-272x264.jpg",
  ])
  func `a pipe and a file decode to the same grid`(fixture: String) throws {
    // The comment fills most of the first window, so the image data starts near its end.
    let bytes = try Fixtures.bytes(fixture)
    let comment = [0xFF, 0xFE, 0xFD, 0xE8] + [UInt8](repeating: 7, count: 64_998)
    let long = bytes.prefix(2) + comment + bytes.dropFirst(2)
    let grid = try Self.grid(fixture)
    #expect(try Self.gridThroughPipe(Array(long)) == grid)
    #expect(try Self.gridOfFile(Array(long)) == grid)
  }

  @Test(arguments: ["jpeg-half-scale-560x520.jpg", "jpeg-progressive-dc-only-400x264.jpg"])
  func `trailing data does not affect the grid`(fixture: String) throws {
    let bytes = try Fixtures.bytes(fixture) + [UInt8](repeating: 7, count: 1 << 20)
    #expect(try ImageDecoder().decode(bytes).grid == Self.grid(fixture))
    #expect(try Self.gridThroughPipe(bytes) == Self.grid(fixture))
    #expect(try Self.gridOfFile(bytes) == Self.grid(fixture))
  }

  @Test(arguments: ["3-segments", "out-of-order"])
  func `ICC profile segments are joined by number`(name: String) throws {
    #expect(
      try PlaceholderEncoder().encode(fixture: "jpeg-icc-display-p3-\(name).jpg")
        == PlaceholderEncoder().encode(fixture: "jpeg-icc-display-p3.jpg"))
  }

  @Test func `of two ICC segments with the same number, the first counts`() throws {
    var bytes = try Fixtures.bytes("jpeg-icc-display-p3.jpg")
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xE2]) })
    let end = start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
    let prefix = 18
    bytes[end..<end] = bytes[start..<start + prefix] + bytes[start + prefix..<end].map { ~$0 }
    #expect(
      try PlaceholderEncoder().encode(bytes)
        == PlaceholderEncoder().encode(fixture: "jpeg-icc-display-p3.jpg"))
  }

  @Test func `the bytes of an ICC profile can be in two windows of 64 KiB`() throws {
    let bytes = try Fixtures.bytes("jpeg-icc-display-p3.jpg")
    let image = try ImageDecoder().decode(bytes)
    let profile = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xE2]) })
    for held in 0..<24 {
      // The first window ends after this number of bytes of the profile's segment.
      let size = 65_536 - held - profile - 2
      let comment =
        [0xFF, 0xFE, UInt8(size >> 8), UInt8(size & 255)]
        + [UInt8](repeating: 7, count: size - 2)
      let long = bytes[..<2] + comment + bytes[2...]
      #expect(try ImageDecoder().decode(Array(long)) == image, "\(held) bytes")
    }
  }

  @Test(arguments: [
    ("jpeg-icc-garbage.jpg", "jpeg-baseline-444.jpg"),
    ("jpeg-icc-gray-on-rgb.jpg", "jpeg-baseline-444.jpg"),
    ("jpeg-icc-rgb-on-gray.jpg", "jpeg-gray.jpg"),
  ])
  func `an invalid profile is ignored with a warning`(
    fixture: String, plain: String
  ) throws {
    let placeholders = try PlaceholderEncoder().encode(fixture: fixture)
    #expect(placeholders.picture == (try PlaceholderEncoder().encode(fixture: plain).picture))
    #expect(
      placeholders.warnings == ["color profile ignored: damaged or for a different color space"])
  }

  @Test(arguments: [
    ("jpeg-baseline-444.jpg", ["jpeg-icc-segment-missing.jpg", "jpeg-icc-srgb.jpg"]),
    (
      "jpeg-baseline-420.jpg",
      [
        "jpeg-20000-empty-app1.jpg", "jpeg-without-jfif.jpg", "jpeg-fill-bytes.jpg",
        "jpeg-trailing-garbage.jpg", "jpeg-missing-eoi.jpg", "jpeg-optimized.jpg",
        "jpeg-arithmetic.jpg", "jpeg-progressive.jpg", "jpeg-restart-every-2-blocks.jpg",
        "jpeg-multi-scan-baseline.jpg", "jpeg-without-huffman-tables.jpg",
      ]
    ),
    ("jpeg-half-scale-560x520.jpg", ["jpeg-half-scale-restart-560x520.jpg"]),
    ("jpeg-ycck.jpg", ["jpeg-ycck-progressive.jpg"]),
    ("jpeg-rgb.jpg", ["jpeg-rgb-by-component-ids.jpg"]),
    ("jpeg-cmyk-adobe-inverted.jpg", ["jpeg-cmyk-without-adobe.jpg"]),
  ])
  func `files with equal coefficients decode to equal grids`(plain: String, others: [String]) throws
  {
    let grid = try Self.grid(plain)
    for name in others { #expect(try Self.grid(name) == grid, "\(name)") }
  }

  @Test(arguments: [5, 10, 30], ["1x1", "2x1", "1x2", "2x2", "4x1"])
  func `omitting the low DC bits does not change a flat gray image`(
    quality: Int, sampling: String
  ) throws {
    let color = try PlaceholderEncoder()
      .encode(fixture: "flat-gray/128-quality-\(quality)-\(sampling).jpg").averageColor
    #expect(color == SRGBColor(red: 128, green: 128, blue: 128))
  }

  /// The reference is an exact decode, because quantization also changes the gray.
  @Test(arguments: ["101-quality-10", "77-quality-45", "201-quality-50"])
  func `low DC bits worth more than one sample step are read`(name: String) throws {
    let fixture = "flat-gray/\(name)-2x2.jpg"
    let color = try PlaceholderEncoder().encode(fixture: fixture).averageColor
    let exact = try PlaceholderEncoder(decoding: .exact).encode(fixture: fixture).averageColor
    #expect(color.red == color.green && color.green == color.blue)
    #expect(abs(Int(color.red) - Int(exact.red)) <= 1)
  }

  /// Encodes only the DC coefficients of a progressive image of 256 rows.
  ///
  /// `bits` contains the differences of the coefficients. The code of the number of their bits is 0 for none, 10 for 6
  /// bits and 110 for 8. Source: ITU-T T.81, annexes B, C and F.
  private static func dcOnly(width: Int, lumaSampling: UInt8, _ bits: String) -> [UInt8] {
    let (high, low) = (UInt8(width >> 8), UInt8(width & 255))
    var data = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit == "1" { data[index / 8] |= 128 >> (index % 8) }
    return [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + Array(repeating: 8, count: 64)
      + [0xFF, 0xC2, 0, 17, 8, 1, 0, high, low, 3, 1, lumaSampling, 0, 2, 0x11, 0, 3, 0x11, 0]
      + [0xFF, 0xC4, 0, 22, 0, 1, 1, 1] + Array(repeating: 0, count: 13) + [0, 6, 8]
      + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0] + data + [0xFF, 0xD9]
  }

  @Test func `the smallest chroma sample of a DC-only decode is converted`() throws {
    // The first blocks have the samples 128 + 51, 128 + 43 and 128 - 128, and the others the same.
    let first = "10110011" + "10101011" + "11001111111"
    let bits = first + String(repeating: "000", count: 32 * 32 - 1)
    let file = Self.dcOnly(width: 256, lumaSampling: 0x11, bits)
    let color = try PlaceholderEncoder().result(file).get().averageColor
    #expect(color == SRGBColor(red: 0, green: 255, blue: 255))
  }

  @Test(arguments: 17...48)
  func `the last column of a DC-only decode is complete`(macroblockCount: Int) throws {
    // The last blocks of each row have the sample 128 + 51, and the others 128. A macroblock has four blocks of luma.
    let (up, down, same) = ("10110011" + "00000", "10001100" + "00000", "000000")
    let middle = String(repeating: same, count: macroblockCount - 2)
    let row = middle + up
    let bits = same + row + String(repeating: down + row, count: 15)
    let file = Self.dcOnly(width: macroblockCount * 16, lumaSampling: 0x22, bits)
    let grid = try ImageDecoder().decode(file).grid
    #expect(Self.scale(of: grid) == 8)
    let light = Float(IEC61966.linear(ofSample: 128 + 51))
    for row in 0..<grid.rowCount {
      let cell = grid.cells[(row + 1) * grid.columnCount - 1]
      #expect(abs(cell.y - light) < 1e-4, "row \(row)")
    }
  }

  /// The offsets of all scans.
  private static func scans(of jpeg: [UInt8]) -> [Int] {
    jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
  }

  /// The number of leading cells in each row that equal those of the complete image.
  private static func decodedCells(_ grid: PixelGrid, of complete: PixelGrid) -> [Int] {
    (0..<complete.rowCount).map { row in
      let cells = row * complete.columnCount..<(row + 1) * complete.columnCount
      return zip(grid.cells[cells], complete.cells[cells]).prefix { $0 == $1 }.count
    }
  }

  @Test(arguments: ["jpeg-baseline-444.jpg", "jpeg-gray.jpg", "jpeg-rgb.jpg"])
  func `lenient decoding returns the blocks before a truncation`(
    fixture: String
  ) throws {
    let bytes = try Fixtures.bytes(fixture)
    let complete = try Self.grid(fixture)
    let start = try #require(Self.scans(of: bytes).first)
    let decoder = ImageDecoder(options: .lenient)
    var hasPartOfFirstRow = false
    for end in stride(from: start + 16, to: bytes.count, by: 23) {
      // A file that ends before the first complete block is rejected.
      guard let image = try? decoder.decode(Array(bytes[..<end]).span) else { continue }
      #expect(image.warnings.contains { $0.hasPrefix("truncated: ") })
      let decoded = Self.decodedCells(image.grid, of: complete)
      // All eight rows of a block end at the same column.
      let blocks = stride(from: 0, to: decoded.count - 8, by: 8).map { decoded[$0] / 8 * 8 }
      #expect(blocks == blocks.sorted(by: >), "a row of blocks is decoded before the next one")
      #expect(blocks.filter { (1..<complete.columnCount / 8 * 8).contains($0) }.count <= 1)
      guard (8..<complete.columnCount / 8 * 8).contains(blocks[0]) else { continue }
      hasPartOfFirstRow = true
      // libjpeg fills the rest of the row with the color of its last block.
      let cells = image.grid.cells
      let rest = (blocks[0] + 8..<complete.columnCount).map { cells[$0] }
      #expect(rest.allSatisfy { $0 == cells[cells.count - 1] }, "missing cells become the mean")
    }
    #expect(hasPartOfFirstRow)
  }

  @Test func `lenient decoding returns gray if the chroma is missing`() throws {
    let fixture = "jpeg-progressive-dc-only-scans-apart-264x300.jpg"
    let bytes = try Fixtures.bytes(fixture)
    let scans = Self.scans(of: bytes)
    let decoder = ImageDecoder(options: .lenient)
    let cut = Array(bytes[..<scans[1]])
    let image = try decoder.decode(cut.span)
    #expect(
      image.warnings.contains { $0 == "truncated: a component has no DC coefficients" })
    #expect(image.grid.cells.allSatisfy { abs($0.x - $0.z) < 1e-6 && abs($0.x - $0.y) < 1e-6 })
    let average = try PlaceholderEncoder().encode(fixture: fixture).averageColor
    let light = Double(SRGB.samples(ofLinear: image.grid.average).y)
    let color = SIMD3(Double(average.red), Double(average.green), Double(average.blue))
    #expect(abs(light - (color * [0.299, 0.587, 0.114]).sum()) < 12)
    let none = Array(bytes[..<scans[0]])
    #expect(throws: ImageDecodingError.self) { try decoder.decode(none.span) }
  }

  @Test func `other warnings do not displace the damage warning`() throws {
    var bytes = try Fixtures.bytes("jpeg-baseline-444.jpg")
    let end = bytes.count * 2 / 3
    // JFIF headers with twelve unknown versions cause twelve different warnings.
    for version in UInt8(3)...14 {
      bytes.insert(
        contentsOf: [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)
          + [version, version, 0, 0, 1, 0, 1, 0, 0], at: 2)
    }
    let image = try ImageDecoder(options: .lenient).decode(Array(bytes[..<end]).span)
    #expect(image.warnings.filter { $0.hasPrefix("Warning: unknown JFIF") }.count == 8)
    #expect(image.warnings.contains { $0.hasPrefix("truncated: ") })
  }
}
