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
    let names = "\(ImageFormat.jpeg), \(ImageFormat.png), \(ImageFormat.webp), \(ImageFormat.gif)"
    #expect(names == "JPEG, PNG, WebP, GIF")
  }

  private static func reasonForRejecting(_ bytes: [UInt8]) -> String {
    ImageFormat.reasonForRejecting(bytes.span)
  }

  private static func box(_ brand: String) -> [UInt8] {
    [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0]
  }

  @Test(arguments: [
    ("avif", "AVIF"), ("avis", "AVIF"), ("heic", "HEIC"), ("heix", "HEIC"), ("hevc", "HEIC"),
    ("mif1", "HEIC"),
  ])
  func `the brand of a container determines the format`(brand: String, name: String) {
    #expect(Self.reasonForRejecting(Self.box(brand)).contains("\(name) images are not supported"))
  }

  @Test func `JPEG XL is detected as a codestream and in a container`() {
    #expect(Self.reasonForRejecting([0xFF, 0x0A, 0]).contains("JPEG XL"))
    #expect(Self.reasonForRejecting([0, 0, 0, 12] + Array("JXL \r\n".utf8)).contains("JPEG XL"))
  }

  @Test func `the error for unknown bytes lists the supported formats`() {
    for bytes in [[], Self.box("isom"), Array("GIF88a".utf8), Array(Self.box("avif").prefix(11))] {
      #expect(Self.reasonForRejecting(bytes) == "not a JPEG, PNG, WebP or GIF image")
    }
  }
}
