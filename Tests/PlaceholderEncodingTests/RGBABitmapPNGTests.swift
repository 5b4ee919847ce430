import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct RGBABitmapPNGTests {
  @Test(arguments: [(1, 1), (2, 3), (7, 1), (127, 128), (300, 200), (1000, 3)])
  func `an independent decoder reads the same pixels`(size: (Int, Int)) throws {
    let bitmap = RGBABitmap.noise(width: size.0, height: size.1)
    #expect(try PlainPNG(bitmap.pngData()).bitmap() == bitmap)
  }

  @Test(arguments: [(1, 1), (17, 9)])
  func `the alpha of a bitmap survives PNG encoding`(size: (Int, Int)) throws {
    var random = LCG(seed: 1)
    let bitmap = try RGBABitmap(
      width: size.0, height: size.1, pixels: random.bytes(size.0 * size.1 * 4))
    let file = try PlainPNG(bitmap.pngData())
    #expect(file.format == .rgba)
    #expect(try file.samples() == bitmap.pixels)
  }

  /// Source: PNG, sections 5.2 and 11.2.2.
  @Test func `a PNG starts with the signature, an 8-bit RGB header and an sRGB chunk`() throws {
    let file = try RGBABitmap.flat([1, 2, 3], width: 258, height: 3).pngData()
    #expect(
      file.prefix(33) == [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        0, 0, 1, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0,
      ] + file[29..<33])
    let chunkTypes = try PlainPNG(file).chunkTypes
    #expect(chunkTypes.first == "IHDR")
    #expect(chunkTypes.contains("sRGB"))
    #expect(chunkTypes.last == "IEND")
  }

  @Test func `a large flat bitmap compresses to a small file`() throws {
    let file = try RGBABitmap.flat([10, 200, 77], width: 1024, height: 1024).pngData()
    #expect(file.count < 20_000)
    let image = try ImageDecoder(options: .verifying).decode(file.span)
    #expect(image.grid.sourceWidth == 1024)
    #expect(image.grid.sourceHeight == 1024)
    #expect(SRGBColor(linear: image.grid.average) == SRGBColor(red: 10, green: 200, blue: 77))
  }

  @Test func `a side above one million pixels is rejected`() throws {
    let longest = RGBABitmap.flat([1, 2, 3], width: RGBABitmap.maximumPNGSide, height: 1)
    #expect(try PlainPNG(longest.pngData()).chunkTypes.last == "IEND")
    let error = RGBABitmap.PNGError.tooLarge(width: 1, height: RGBABitmap.maximumPNGSide + 1)
    #expect(throws: error) {
      try RGBABitmap.flat([1, 2, 3], width: 1, height: RGBABitmap.maximumPNGSide + 1).pngData()
    }
    #expect("\(error)".hasSuffix("exceeds the limit of 1000000 pixels per side"))
  }
}
