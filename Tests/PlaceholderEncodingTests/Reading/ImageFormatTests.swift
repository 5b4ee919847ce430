import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct ImageFormatTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func format(_ bytes: [UInt8]) -> ImageFormat? {
    ImageFormat(sniffing: bytes.span)
  }

  @Test func `the signature tells the format`() {
    #expect(Self.format(Self.jpeg) == .jpeg)
    #expect(Self.format(Self.png) == .png)
    #expect(Self.format(Self.jpeg + [0xE0, 0, 16]) == .jpeg)
    #expect(Self.format(Self.png + [0, 0, 0, 13]) == .png)
  }

  @Test func `a part of a signature is none`() {
    for signature in [Self.jpeg, Self.png] {
      for count in signature.indices { #expect(Self.format(Array(signature[..<count])) == nil) }
    }
  }

  @Test func `a signature with any bit changed is none`() {
    for signature in [Self.jpeg, Self.png] {
      for bit in 0..<signature.count * 8 {
        var changed = signature
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect(Self.format(changed) == nil, "\(changed)")
      }
    }
  }

  @Test func `a signature further on is none`() {
    #expect(Self.format([0] + Self.jpeg) == nil)
    #expect(Self.format([0] + Self.png) == nil)
  }

  /// Source: the media types' registrations at IANA.
  @Test func `formats have registered media types and readable names`() {
    #expect(ImageFormat.jpeg.mimeType == "image/jpeg")
    #expect(ImageFormat.png.mimeType == "image/png")
    #expect("\(ImageFormat.jpeg), \(ImageFormat.png)" == "JPEG, PNG")
  }
}
