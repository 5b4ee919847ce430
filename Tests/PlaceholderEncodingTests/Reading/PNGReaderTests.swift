import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PNGReaderTests {
  @Test(arguments: ["gray-alpha", "rgba", "rgba-16-bit", "rgb-trns", "palette-trns"])
  func `the color of transparent pixels is ignored`(kind: String) throws {
    for background in [SRGBColor.white, .black, SRGBColor(red: 200, green: 30, blue: 90)] {
      let options = ImageDecoder.Options.with { $0.background = background }
      let encoder = PlaceholderEncoder(decoding: options)
      let hidden = try ["a", "b"].map { twin in
        try encoder.encode(fixture: "png-hidden-color-\(kind)-\(twin).png")
      }
      #expect(hidden[0] == hidden[1])
    }
  }

  @Test(arguments: [
    "gray-1-bit", "gray-2-bit", "gray-4-bit", "gray-8-bit", "gray-16-bit", "palette-1-bit",
    "palette-4-bit", "palette-8-bit", "rgb-8-bit", "rgb-16-bit", "rgb-8-bit-trns",
    "gray-alpha-8-bit", "rgba-8-bit", "rgba-16-bit",
  ])
  func `interlacing does not change the placeholders`(kind: String) throws {
    #expect(
      try PlaceholderEncoder().encode(fixture: "png-adam7-\(kind).png")
        == PlaceholderEncoder().encode(fixture: "png-\(kind).png"))
  }

  @Test(arguments: [
    ("png-text-chunks.png", "png-rgb-8-bit.png"), ("png-text-200-bombs.png", "png-rgb-8-bit.png"),
    ("png-filters-all-five.png", "png-rgb-8-bit.png"),
    ("png-filters-2-bit.png", "png-gray-2-bit.png"),
    ("png-image-data-split.png", "png-rgb-8-bit.png"),
    ("png-image-data-empty-chunks.png", "png-rgb-8-bit.png"),
    ("png-trailing-garbage.png", "png-rgb-8-bit.png"),
    ("png-named-jpg.jpg", "png-rgb-8-bit.png"), ("png-srgb.png", "png-rgb-8-bit.png"),
    ("png-background-chunk.png", "png-rgba-8-bit.png"),
    ("png-iccp-over-gamma.png", "png-iccp-display-p3.png"),
  ])
  func `chunks that do not affect pixels are ignored`(fixture: String, plain: String) throws {
    #expect(
      try PlaceholderEncoder().encode(fixture: fixture)
        == PlaceholderEncoder().encode(fixture: plain))
  }

  @Test(arguments: [
    "png-text-bad-checksum.png", "png-gamma-bad-checksum.png", "png-iccp-garbage.png",
    "png-srgb-over-gamma.png",
  ])
  func `damaged metadata is ignored with a warning`(fixture: String) throws {
    let placeholders = try PlaceholderEncoder().encode(fixture: fixture)
    let plain = try PlaceholderEncoder().encode(fixture: "png-rgb-8-bit.png")
    #expect(placeholders.picture == plain.picture)
    #expect(placeholders.warnings.count == 1)
  }

  @Test(arguments: [(26, true), (4 << 20, true), (4 << 20 + 1, false)])
  func `an Exif chunk above 4 MiB is ignored with a warning`(
    size: Int, isRead: Bool
  ) throws {
    var tiff = TIFFBuilder(isBigEndian: true)
    tiff.add(tag: 0x0112, type: 3, count: 1, value: 6, size: 2)
    let exif = tiff.bytes + [UInt8](repeating: 0, count: size - tiff.bytes.count)
    var file = PNGFile(width: 1, height: 2, depth: 8, color: .gray)
    file.scanlines = [0, 0, 0, 255]
    file.ancillary = PNGFile.chunk("eXIf", exif)
    let image = try ImageDecoder().decode(file.bytes.span)
    #expect(image.grid.sourceWidth == (isRead ? 2 : 1))
    #expect(image.warnings.isEmpty == isRead)
  }

  @Test(arguments: ["png-animated.png", "png-animated-image-apart.png"])
  func `an animation decodes to its default image`(fixture: String) throws {
    let animated = try ImageDecoder().decode(fixture: fixture)
    let still = try ImageDecoder().decode(fixture: "png-rgb-8-bit.png")
    #expect(animated.isAnimated)
    #expect(!still.isAnimated)
    #expect(animated.grid == still.grid)
  }

  @Test(arguments: [
    (0, nil), (1, nil), (2, 2), (301, 301), (65_536, 65_536), (1 << 31 - 1, 65_536),
  ])
  func `the frame count is read from the acTL chunk`(
    declared: Int, count: Int?
  ) throws {
    var file = PNGFile(width: 1, height: 1, depth: 8, color: .gray)
    file.scanlines = [0, 0]
    let number = [24, 16, 8, 0].map { UInt8(declared >> $0 & 255) }
    let control = PNGFile.chunk("acTL", number + [0, 0, 0, 0])
    file.ancillary = control
    let apart = try ImageDecoder().decode(file.bytes.span)
    #expect(apart.isAnimated == (declared > 0))
    #expect(apart.frameCount == count)
    file.ancillary = control + PNGFile.chunk("fcTL", [UInt8](repeating: 0, count: 26))
    let first = try ImageDecoder().decode(file.bytes.span)
    #expect(first.isAnimated == (declared > 1), "the image is the first frame")
    file.ancillary = PNGFile.chunk("acTL", number)
    #expect(try ImageDecoder().decode(file.bytes.span).frameCount == nil, "the chunk is too short")
  }

  @Test(arguments: ["size-128x96.png", "size-31x57.png", "size-1x7.png", "noise.png"])
  func `each cell of a small image is one pixel`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    #expect(grid.hasCellsOfOnePixel)
    #expect(grid.pixels == (try PlainPNG.bitmap(fixture)))
  }

  @Test(arguments: ["size-129x128.png", "size-300x200.png", "size-517x389.png"])
  func `each cell of a large image is the mean of its pixels`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let bitmap = try PlainPNG.bitmap(fixture)
    let light = (0...UInt8.max).map { IEC61966.linear(ofSample: $0) }
    func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let samples = bitmap.pixels[((y * bitmap.width + x) * 4)...].prefix(3)
      return SIMD3(samples.map { light[Int($0)] })
    }
    for (row, ys) in grid.rows.enumerated() {
      for (column, xs) in grid.columns.enumerated() {
        let sum = ys.reduce(SIMD3<Double>.zero) { sum, y in
          xs.reduce(sum) { $0 + color($1, y) }
        }
        let mean = sum / Double(ys.count * xs.count)
        let difference = SIMD3<Double>(grid.light[row * grid.columns.count + column].xyz) - mean
        #expect((difference * difference).sum() < 1e-12)
      }
    }
  }

  @Test(arguments: [
    ("pq", "HDR transfer function PQ: values above white are clipped"),
    ("hlg", "HDR transfer function HLG: values above white are clipped"),
    ("unspecified", "cICP chunk ignored: unsupported values"),
    ("narrow-range", "cICP chunk ignored: unsupported values"),
  ])
  func `HDR and unsupported color spaces cause a warning`(
    name: String, warning: String
  ) throws {
    #expect(try ImageDecoder().decode(fixture: "png-cicp-\(name).png").warnings == [warning])
  }

  @Test func `a supported color space causes no warning`() throws {
    for name in ["display-p3", "bt-2020", "over-profile"] {
      let image = try ImageDecoder().decode(fixture: "png-cicp-\(name).png")
      #expect(image.warnings.isEmpty, "\(name)")
    }
  }
}
