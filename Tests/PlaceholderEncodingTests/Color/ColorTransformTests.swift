import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct ColorTransformTests {
  private static func transform(
    _ icc: [UInt8], _ layout: SampleLayout
  ) throws -> ColorTransform {
    try #require(ColorProfile(icc: icc.span, layout: layout)?.transform)
  }

  /// The sample, 0...255, of a gray with a CIE lightness of 0...100.
  ///
  /// Source: CIE 15, L* of a luminance.
  private static func sample(ofLightness lightness: Double) -> Double {
    let luminance =
      lightness > 8
      ? ((lightness + 16) / 116) * ((lightness + 16) / 116) * ((lightness + 16) / 116)
      : lightness / 903.2963
    return IEC61966.encoded(ofLinear: luminance) * 255
  }

  @Test func `converting into a short row traps`() async {
    await #expect(processExitsWith: .failure) {
      let icc = ICCProfile.table("CMYK", channelCount: 4, lightness: (255, 0))
      var output: [UInt8] = Array(repeating: 0, count: 5)
      try Self.transform(icc, .cmyk).convert(
        Array(repeating: 0, count: 8), into: &output, pixelCount: 2)
    }
  }

  @Test func `CMYK is converted with the table of its profile`() throws {
    let icc = ICCProfile.table("CMYK", channelCount: 4, lightness: (255, 0))
    let transform = try Self.transform(icc, .cmyk)
    let blacks: [UInt8] = [0, 20, 60, 100, 140, 180, 220, 255]
    var output = Array(repeating: UInt8(0), count: blacks.count * 3)
    transform.convert(
      blacks.flatMap { [255 - $0, $0, 99, $0] }, into: &output, pixelCount: blacks.count)
    for (index, black) in blacks.enumerated() {
      let expected = Self.sample(ofLightness: 100 * Double(255 - black) / 255)
      for channel in 0..<3 {
        #expect(abs(Double(output[index * 3 + channel]) - expected) <= 3, "black \(black)")
      }
    }
  }

  @Test func `an RGB table preserves alpha`() throws {
    let icc = ICCProfile.table("RGB ", channelCount: 3, lightness: (0, 255))
    let blues: [UInt8] = [0, 50, 128, 200, 255]
    var rgb = Array(repeating: UInt8(0), count: blues.count * 3)
    try Self.transform(icc, .rgb).convert(
      blues.flatMap { [10, 250, $0] }, into: &rgb, pixelCount: blues.count)
    var rgba = Array(repeating: UInt8(0), count: blues.count * 4)
    try Self.transform(icc, .rgba).convert(
      blues.flatMap { [10, 250, $0, 255 - $0] }, into: &rgba, pixelCount: blues.count)
    for (index, blue) in blues.enumerated() {
      let expected = Self.sample(ofLightness: 100 * Double(blue) / 255)
      #expect(abs(Double(rgb[index * 3]) - expected) <= 3, "blue \(blue)")
      #expect(rgba[index * 4..<index * 4 + 3] == rgb[index * 3..<index * 3 + 3])
      #expect(rgba[index * 4 + 3] == 255 - blue)
    }
  }

  @Test func `a CMYK image is converted with its profile`() throws {
    let icc = ICCProfile.table("CMYK", channelCount: 4, lightness: (255, 0))
    var bytes = try Fixtures.bytes("jpeg-cmyk-adobe-inverted.jpg")
    let content = Array("ICC_PROFILE\0".utf8) + [1, 1] + icc
    let length = content.count + 2
    bytes.insert(
      contentsOf: [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + content, at: 2)
    let placeholders = try PlaceholderEncoder().encode(bytes.span)
    let color = placeholders.averageColor
    #expect(color.green == color.red)
    #expect(color.blue == color.red)
    #expect(placeholders.warnings.isEmpty)
    let plain = try PlaceholderEncoder().encode(fixture: "jpeg-cmyk-adobe-inverted.jpg")
      .averageColor
    // Without a profile, the image has colors, and colored ink reduces the light.
    #expect(plain.green != plain.red)
    #expect(color.red > plain.red)
  }
}
