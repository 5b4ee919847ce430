import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct ImageFormatTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let webp = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)

  private static func format(_ bytes: [UInt8]) -> ImageFormat? {
    ImageFormat(sniffing: bytes.span)
  }

  @Test func `the format is detected from the signature`() {
    #expect(Self.format(Self.jpeg) == .jpeg)
    #expect(Self.format(Self.png) == .png)
    #expect(Self.format(Self.webp) == .webp)
    #expect(Self.format(Array("GIF87a".utf8)) == .gif)
    #expect(Self.format(Array("GIF89a".utf8)) == .gif)
    #expect(Self.format(Array("GIF88a".utf8)) == nil)
    #expect(Self.format(Array("GIF89".utf8)) == nil)
    #expect(Self.format(Self.jpeg + [0xE0, 0, 16]) == .jpeg)
    #expect(Self.format(Self.png + [0, 0, 0, 13]) == .png)
  }

  @Test func `an incomplete signature is not detected`() {
    for signature in [Self.jpeg, Self.png, Self.webp] {
      for count in signature.indices { #expect(Self.format(Array(signature[..<count])) == nil) }
    }
  }

  @Test func `a signature with a changed bit is not detected`() {
    for signature in [Self.jpeg, Self.png, Self.webp] {
      for bit in 0..<signature.count * 8 where signature != Self.webp || bit / 32 != 1 {
        var changed = signature
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect(Self.format(changed) == nil, "\(changed)")
      }
    }
  }

  @Test func `a signature at another offset is not detected`() {
    #expect(Self.format([0] + Self.jpeg) == nil)
    #expect(Self.format([0] + Self.png) == nil)
    #expect(Self.format([0] + Self.webp) == nil)
  }

  /// Source: IANA media type registry.
  @Test func `formats have registered media types and readable names`() {
    #expect(ImageFormat.jpeg.mimeType == "image/jpeg")
    #expect(ImageFormat.png.mimeType == "image/png")
    #expect(ImageFormat.webp.mimeType == "image/webp")
    #expect(ImageFormat.gif.mimeType == "image/gif")
    #expect(ImageFormat.avif.mimeType == "image/avif")
    #expect(ImageFormat.heic.mimeType == "image/heic")
    #expect(ImageFormat.heif.mimeType == "image/heif")
    let names = ImageFormat.allCases.map(\.description)
    #expect(names == ["JPEG", "PNG", "WebP", "GIF", "AVIF", "HEIC", "HEIF"])
  }

  private static func box(_ brand: String) -> [UInt8] {
    [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0]
  }

  /// The start of files, and the name in the error.
  private static let foreign: [([UInt8], String)] = [
    (box("isom"), "MP4 and QuickTime"),
    (box("crx "), "raw photos"), ([0xFF, 0x0A, 0], "JPEG XL"),
    ([0, 0, 0, 12] + Array("JXL \r\n".utf8), "JPEG XL"), ([0x49, 0x49, 0x2A, 0, 8], "TIFF"),
    ([0x4D, 0x4D, 0, 0x2A, 0], "TIFF"), (Array("BM".utf8) + [70, 0, 0, 0], "BMP"),
    ([0, 0, 1, 0, 1, 0], "Windows icons"), (Array("%PDF-1.7".utf8), "PDF"),
    (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "SVG"),
    (Array("<?xml version='1.0'?>\n<!-- a -->\n<svg>".utf8), "SVG"),
    ([0xEF, 0xBB, 0xBF] + Array("\n <svg>".utf8), "SVG"), (Array("8BPS".utf8), "Photoshop"),
    ([0xFF, 0xD8, 0xFF, 0xF7], "JPEG-LS"),
    (png + [0, 0, 0, 4] + Array("CgBI".utf8), "CgBI"), ([0, 5, 0x16, 7], "AppleDouble"),
  ]

  @Test(
    arguments: [
      ("avif", .avif), ("avis", .avif), ("heic", .heic), ("heix", .heic), ("hevc", .heic),
      ("mif1", .heif), ("msf1", .heif), ("isom", nil),
    ] as [(String, ImageFormat?)])
  func `the brand of a container determines the format`(brand: String, format: ImageFormat?) {
    let bytes = Self.box(brand)
    #expect(ImageFormat(sniffing: bytes.span) == format)
  }

  @Test(
    arguments: [
      (["isom", "avif", "mif1"], .avif), (["mp42", "isom", "heic"], .heic),
      (["MA1B", "avis"], .avif), (["jpeg", "mif1"], .heif), (["heic", "avif"], .heic),
      (["isom", "iso2", "avc1", "mp41"], nil), (["qt  "], nil), (["crx ", "isom"], nil),
    ] as [([String], ImageFormat?)])
  func `the first known brand determines the format`(brands: [String], format: ImageFormat?) {
    let size = UInt8(12 + 4 * brands.count)
    let others = Array(brands.dropFirst().joined().utf8)
    let head = [0, 0, 0, size] + Array("ftyp\(brands[0])".utf8) + [0, 0, 2, 0]
    let bytes = head + others
    #expect(ImageFormat(sniffing: bytes.span) == format)
    let name = ImageFormat.foreignName(sniffing: bytes.span)
    #expect((name == nil) == (format != nil))
    // A brand behind the end of the box.
    let behind = head + others + Array("avif".utf8)
    #expect(ImageFormat(sniffing: behind.span) == format)
  }

  @Test(arguments: foreign)
  func `the error for a format that is not read names it`(bytes: [UInt8], name: String) throws {
    let found = ImageFormat.reasonForRejecting(bytes.span)
    let reason = try #require(found)
    #expect(reason.contains(name) && reason.hasSuffix("are not supported"))
    #expect(throws: ImageDecodingError.unsupportedFormat(reason: reason)) {
      try ImageDecoder().decode(bytes.span)
    }
  }

  @Test func `the error for unknown bytes lists the supported formats`() {
    let unknown = [Array("GIF88a".utf8), Array(Self.box("avif").prefix(7)), Array("<html>".utf8)]
    for bytes in unknown {
      #expect(
        throws: ImageDecodingError.unsupportedFormat(
          reason: "not a JPEG, PNG, WebP, GIF, AVIF or HEIC image")
      ) { try ImageDecoder().decode(bytes.span) }
    }
  }

  @Test(arguments: ["gif-640x480.gif", "png-srgb.png", "webp-alpha.webp", "jpeg-icc-srgb.jpg"])
  func `a format that is read is not rejected`(fixture: String) throws {
    let bytes = try Fixtures.bytes(fixture)
    let reason = ImageFormat.reasonForRejecting(bytes.span)
    #expect(reason == nil)
  }
}
