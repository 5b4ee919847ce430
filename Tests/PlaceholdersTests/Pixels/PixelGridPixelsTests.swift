import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PixelGridPixelsTests {
  /// The files that an independent reader of RGB and RGBA understands, without a color space.
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
  func `pixels give the grid of the PNG decoder`(name: String) throws {
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

  @Test func `both kinds of pixels are among the fixtures`() throws {
    let formats = try Self.fixtures.get().map { try PlainPNG(try Fixtures.bytes($0)).format }
    #expect(formats.contains(.rgb) && formats.contains(.rgba))
  }

  @Test(arguments: [PixelFormat.rgb, .rgba], [0, 1, 13])
  func `padding between rows is not looked at`(format: PixelFormat, padding: Int) {
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

  @Test func `a bitmap's alpha counts`() {
    var random = LCG(seed: 3)
    let (samples, alphas) = (random.bytes(31 * 17 * 3), random.bytes(31 * 17))
    let pixels = alphas.indices.flatMap { samples[$0 * 3..<$0 * 3 + 3] + [alphas[$0]] }
    let grid = PixelGrid(Bitmap(width: 31, height: 17, samples: samples, alphas: alphas))
    #expect(grid == PixelGrid(pixels: pixels, width: 31, height: 17, format: .rgba))
    #expect(!grid.isOpaque)
  }

  @Test func `a bitmap gives the hash of its pixels`() {
    let bitmap = Bitmap.noise(width: 31, height: 17)
    let components = ComponentCount(x: 4, y: 3)
    #expect(
      BlurHash(encoding: PixelGrid(bitmap), components: components)
        == BlurHash(encoding: bitmap, components: components))
  }

  @Test func `too few bytes are a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelGrid(pixels: [0, 0, 0, 0, 0], width: 2, height: 1, format: .rgb)
    }
  }
}
