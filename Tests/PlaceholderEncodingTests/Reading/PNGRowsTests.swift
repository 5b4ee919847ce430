import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

/// Compares the fast row reader with libpng, which decodes all rows of an exact decode.
@Suite struct PNGRowsTests {
  private static func decode(
    _ file: [UInt8], _ options: ImageDecoder.Options
  ) -> Result<DecodedImage, ImageDecodingError> {
    do {
      return .success(try ImageDecoder(options: options).decode(file.span))
    } catch {
      return .failure(error)
    }
  }

  /// Expects the same result or error as from libpng.
  private static func expectSameAsLibpng(
    _ file: [UInt8], location: SourceLocation = #_sourceLocation
  ) {
    #expect(decode(file, .init()) == decode(file, .exact), sourceLocation: location)
  }

  /// Generates an image of random bytes.
  private static func file(
    width: Int, height: Int, depth: Int, color: PNGFile.Color,
    filters: ClosedRange<UInt8> = 0...4, random: inout LCG
  ) -> PNGFile {
    var file = PNGFile(width: width, height: height, depth: depth, color: color)
    let rowSize = (width * depth * color.channelCount + 7) / 8
    if color == .palette {
      let colorCount = Int.random(in: 1...(1 << depth), using: &random)
      file.ancillary = PNGFile.chunk("PLTE", random.bytes(colorCount * 3))
      if Bool.random(using: &random) {
        let alphaCount = Int.random(in: 1...colorCount, using: &random)
        file.ancillary += PNGFile.chunk("tRNS", random.bytes(alphaCount))
      }
    }
    file.scanlines = (0..<height).flatMap { _ in
      [UInt8.random(in: filters, using: &random)] + random.bytes(rowSize)
    }
    file.chunkSize = [1, 7, 100, 8192, 1 << 20].randomElement(using: &random) ?? 1
    return file
  }

  @Test(
    arguments: [
      (.gray, 8), (.gray, 16), (.grayAlpha, 8), (.grayAlpha, 16), (.rgb, 8), (.rgb, 16),
      (.rgba, 8), (.rgba, 16), (.palette, 1), (.palette, 2), (.palette, 4), (.palette, 8),
    ] as [(PNGFile.Color, Int)])
  func `every pixel layout and filter decodes as with libpng`(color: PNGFile.Color, depth: Int) {
    var random = LCG(seed: UInt64(color.rawValue) << 8 | UInt64(depth))
    for width in [1, 2, 3, 5, 8, 17, 100, 127] {
      for filters: ClosedRange<UInt8> in [0...4, 3...4, 4...4] {
        let file = Self.file(
          width: width, height: 41, depth: depth, color: color, filters: filters, random: &random)
        Self.expectSameAsLibpng(file.bytes)
      }
    }
    let large = Self.file(width: 128, height: 900, depth: depth, color: color, random: &random)
    Self.expectSameAsLibpng(large.bytes)
  }

  @Test func `damaged image data has the same result as with libpng`() {
    var random = LCG(seed: 9)
    let intact = Self.file(width: 50, height: 60, depth: 8, color: .rgb, random: &random)
    let size = intact.scanlines.count
    let changes: [(inout PNGFile) -> Void] = [
      { $0.scanlines[30 * 151] = 5 },
      { $0.scanlines[0] = 255 },
      { $0.scanlines.removeLast() },
      { $0.scanlines.removeLast(size - 1) },
      { $0.scanlines = [] },
      { $0.scanlines.append(0) },
      { $0.scanlines += Array(repeating: 0, count: 3000) },
      { $0.scanlines += Array(repeating: 0, count: 70_000) },
      { $0.scanlines += Array(repeating: 0, count: 300_000) },
      { $0.checksumError = 1 },
      { $0.excess = [0] },
      { $0.excess = Array(repeating: 7, count: 20_000) },
      { $0.method = 0x18 },
      { $0.method = 0x08 },
      { $0.method = 0x88 },
      { $0.method = 0x79 },
    ]
    for chunkSize in [1, 3, 5, 1000, 8192, 1 << 20] {
      for change in changes {
        var file = intact
        file.chunkSize = chunkSize
        change(&file)
        Self.expectSameAsLibpng(file.bytes)
      }
    }
  }

  @Test func `a truncated or corrupt file decodes or fails as with libpng`() throws {
    var random = LCG(seed: 12)
    for name in ["png-rgb-8-bit.png", "png-palette-8-bit.png", "png-image-data-split.png"] {
      let intact = try Fixtures.bytes(name)
      for _ in 0..<300 {
        let position = Int.random(in: 0..<intact.count, using: &random)
        Self.expectSameAsLibpng(Array(intact[..<position]))
        var changed = intact
        changed[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        Self.expectSameAsLibpng(changed)
      }
    }
  }

  @Test func `every fixture decodes as with libpng`() throws {
    let names = try Fixtures.names(startingWith: "png-") + ["noise.png", "size-300x200.png"]
    for name in names { Self.expectSameAsLibpng(try Fixtures.bytes(name)) }
    for row in try Fixtures.table("errors.tsv") {
      let name = try #require(row["path"])
      if name.hasSuffix(".png") { Self.expectSameAsLibpng(try Fixtures.bytes(name)) }
    }
  }

  /// Generates a black image, deflated with an incomplete distance code after empty blocks with fixed codes.
  private static func incompleteCode(after emptyBlockCount: Int = 0) -> PNGFile {
    var file = PNGFile(width: 48, height: 48, depth: 8, color: .rgb)
    let fourBlocks: [UInt8] = [0x02, 0x08, 0x20, 0x80, 0x00]
    file.compressed =
      [0x78, 0xDA] + Array(repeatElement(fourBlocks, count: emptyBlockCount / 4).joined()) + [
        0xED, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xFF, 0xAF, 0x6E, 0x48, 0x50, 0x01,
        0x00, 0x00, 0x00, 0x00, 0x00, 0xC0, 0xAF, 0x01, 0x1B, 0x30, 0x00, 0x01,
      ]
    return file
  }

  @Test func `exact decoding rejects an incomplete Huffman code that ISA-L may accept`() {
    let file = Self.incompleteCode()
    #expect(
      Self.decode(file.bytes, .exact)
        == .failure(.corrupt(format: .png, reason: "IDAT: invalid distances set")))
    if case .success(let image) = Self.decode(file.bytes, .init()) {
      #expect(image.grid.cells == Array(repeating: .zero, count: 48 * 48))
    }
  }

  @Test func `image data with thousands of empty blocks falls back to libpng`() {
    // Only libpng rejects the incomplete code after the blocks.
    let isRead = [16, 20_000].map { count in
      (try? Self.decode(Self.incompleteCode(after: count).bytes, .init()).get()) != nil
    }
    #expect(isRead[1] == false)
    #if os(Linux)
    #expect(isRead[0])
    #endif
  }
}
