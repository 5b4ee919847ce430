import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct ColorProfileTests {
  private static let unit = TransferCurves.unit

  private static func profile(_ icc: [UInt8], _ layout: SampleLayout) -> ColorProfile? {
    ColorProfile(icc: icc.span, layout: layout)
  }

  private static func components(
    of profile: ColorProfile?
  ) throws -> (curves: TransferCurves, matrix: ColorMatrix) {
    let profile = try #require(profile)
    #expect(profile.transform == nil)
    return (profile.curves, profile.matrix)
  }

  private static func expect(_ curves: TransferCurves, raise exponent: Double) {
    for sample in 0...255 {
      let light = pow(Double(sample) / 255, exponent)
      for channel in 0..<3 {
        #expect(abs(Double(curves.light[channel * 256 + sample]) / unit - light) < 2e-4)
      }
    }
  }

  @Test func `an embedded sRGB profile needs no conversion`() throws {
    let icc = try ICCProfile.embedded(in: "jpeg-icc-srgb.jpg")
    let (curves, matrix) = try Self.components(of: Self.profile(icc, .rgb))
    #expect(curves == .sRGB)
    #expect(matrix == .identity)
  }

  /// Source: CSS Color 4, sample code.
  @Test func `Display P3 has the sRGB curve and a wider gamut`() throws {
    let icc = try ICCProfile.embedded(in: "jpeg-icc-display-p3.jpg")
    let coding = try #require(
      ColorCoding(primaries: 12, transfer: 13, cameraCurve: .gamma(2.4)))
    let expected: [SIMD3<Float>] = [
      [1.224940, -0.042057, -0.019638], [-0.224940, 1.042057, -0.078636], [0, 0, 1.098274],
    ]
    for profile in [
      Self.profile(icc, .rgb), ColorProfile(coding: coding, layout: .rgb, maximumLuminance: 0),
    ] {
      let (curves, matrix) = try Self.components(of: profile)
      #expect(curves == .sRGB)
      for (color, expected) in zip([matrix.red, matrix.green, matrix.blue], expected) {
        #expect(all(color.xyz - expected .< 0.001) && all(color.xyz - expected .> -0.001))
      }
    }
  }

  @Test func `a linear profile has a linear curve`() throws {
    let icc = try ICCProfile.embedded(in: "jpeg-icc-linear.jpg")
    let (curves, matrix) = try Self.components(of: Self.profile(icc, .rgb))
    Self.expect(curves, raise: 1)
    #expect(matrix == .identity)
  }

  @Test(arguments: [SampleLayout.gray, .grayAlpha])
  func `a gray profile has the same curve for all channels`(layout: SampleLayout) throws {
    let icc = try ICCProfile.embedded(in: "jpeg-icc-gray-gamma-1.8.jpg")
    let (curves, matrix) = try Self.components(of: Self.profile(icc, layout))
    Self.expect(curves, raise: 1.8)
    #expect(matrix == .identity)
  }

  @Test func `a profile for another number of channels is rejected`() throws {
    let gray = try ICCProfile.embedded(in: "jpeg-icc-gray-gamma-1.8.jpg")
    let color = try ICCProfile.embedded(in: "jpeg-icc-display-p3.jpg")
    let ink = ICCProfile.table("CMYK", channelCount: 4, lightness: (255, 0))
    for (icc, layout) in [
      (gray, SampleLayout.rgb), (gray, .rgba), (gray, .cmyk), (color, .gray), (color, .grayAlpha),
      (color, .cmyk), (ink, .rgb), (ink, .rgba), (ink, .gray),
    ] {
      #expect(Self.profile(icc, layout) == nil, "\(layout)")
    }
  }

  @Test func `a profile truncated in its header or tag table is rejected`() throws {
    let icc = try ICCProfile.embedded(in: "jpeg-icc-display-p3.jpg")
    // The tag table follows the header, which has 128 bytes.
    for count in stride(from: 0, through: 240, by: 8) {
      #expect(Self.profile(Array(icc[..<count]), .rgb) == nil, "\(count) bytes")
    }
  }

  @Test func `parsing a corrupt profile does not crash`() throws {
    let icc = try ICCProfile.embedded(in: "jpeg-icc-display-p3.jpg")
    var random = LCG(seed: 8)
    for _ in 0..<200 {
      var changed = icc
      for _ in 0..<4 {
        changed[Int.random(in: 128..<icc.count, using: &random)] = random.bytes(1)[0]
      }
      guard let profile = Self.profile(changed, .rgb) else { continue }
      #expect(profile.curves.light.allSatisfy { $0 <= 1 << 35 })
      let white = profile.matrix([1, 1, 1, 0])
      #expect(all(white .>= 0) && all(white .<= 1))
    }
  }

  @Test(arguments: [0.5, 0.48, 0.43])
  func `the decoding exponent is the reciprocal of the gamma`(gamma: Double) throws {
    let (curves, matrix) = try Self.components(of: ColorProfile(gamma: gamma, primaries: .sRGB))
    Self.expect(curves, raise: 1 / gamma)
    #expect(matrix.isIdentity)
  }

  @Test(arguments: [1 / 2.2, 0.45455, 0.45])
  func `a gamma of about 0.4545 is treated as sRGB`(gamma: Double) throws {
    let (curves, matrix) = try Self.components(of: ColorProfile(gamma: gamma, primaries: .sRGB))
    #expect(curves == .sRGB)
    #expect(matrix == .identity)
  }

  /// Source: Lindbloom's matrices for Adobe RGB (1998) and sRGB, both relative to D65.
  @Test func `primaries determine the color matrix`() throws {
    let adobe = Primaries(red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06])
    let (curves, matrix) = try Self.components(of: ColorProfile(gamma: 1 / 2.2, primaries: adobe))
    Self.expect(curves, raise: 2.2)
    let expected: [SIMD3<Float>] = [
      [1.398283, 0, 0], [-0.398283, 1, -0.042938], [0, 0, 1.042938],
    ]
    for (color, expected) in zip([matrix.red, matrix.green, matrix.blue], expected) {
      #expect(all(color.xyz - expected .< 0.002) && all(color.xyz - expected .> -0.002))
    }
  }

  @Test func `collinear primaries are rejected`() {
    let line = Primaries(red: [0.1, 0.1], green: [0.2, 0.2], blue: [0.3, 0.3])
    #expect(ColorProfile(gamma: 0.45455, primaries: line) == nil)
  }
}

@Suite struct ColorTransformTests {
  private static func transform(
    _ icc: [UInt8], _ layout: SampleLayout
  ) throws -> any RowTransform {
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
