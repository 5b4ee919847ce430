import Testing

@testable import PlaceholderEncoding

@Suite struct UnsupportedFormatTests {
  private static func text(_ bytes: [UInt8]) -> String {
    UnsupportedFormat(sniffing: bytes.span).description
  }

  private static func box(_ brand: String) -> [UInt8] {
    [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0]
  }

  @Test(arguments: [
    ("avif", "AVIF"), ("avis", "AVIF"), ("heic", "HEIC"), ("heix", "HEIC"), ("hevc", "HEIC"),
    ("mif1", "HEIC"),
  ])
  func `the brand of a container determines the format`(brand: String, name: String) {
    #expect(Self.text(Self.box(brand)).contains("\(name) images are not supported"))
  }

  @Test func `JPEG XL is detected as a codestream and in a container`() {
    #expect(Self.text([0xFF, 0x0A, 0]).contains("JPEG XL"))
    #expect(Self.text([0, 0, 0, 12] + Array("JXL \r\n".utf8)).contains("JPEG XL"))
  }

  @Test func `the error for unknown bytes lists the supported formats`() {
    for bytes in [[], Self.box("isom"), Array("GIF88a".utf8), Array(Self.box("avif").prefix(11))] {
      #expect(Self.text(bytes) == "not a JPEG, PNG, WebP or GIF image")
    }
  }
}
