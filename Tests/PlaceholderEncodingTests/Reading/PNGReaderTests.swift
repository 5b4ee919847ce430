import CPlaceholderCodecs
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PNGReaderTests {
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
    (
      "png-rgb-8-bit.png",
      [
        "png-text-chunks.png", "png-text-200-bombs.png", "png-filters-all-five.png",
        "png-image-data-split.png", "png-image-data-empty-chunks.png", "png-trailing-garbage.png",
        "png-named-jpg.jpg", "png-srgb.png",
      ]
    ),
    ("png-gray-2-bit.png", ["png-filters-2-bit.png"]),
    ("png-rgba-8-bit.png", ["png-background-chunk.png"]),
    ("png-iccp-display-p3.png", ["png-iccp-over-gamma.png"]),
  ])
  func `chunks that do not affect pixels are ignored`(plain: String, others: [String]) throws {
    let image = try PlaceholderEncoder().encode(fixture: plain)
    for name in others {
      #expect(try PlaceholderEncoder().encode(fixture: name) == image, "\(name)")
    }
  }

  @Test(arguments: [
    "png-text-bad-checksum.png", "png-gamma-bad-checksum.png", "png-iccp-garbage.png",
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

  #if arch(x86_64) || arch(arm64)
  /// The fast row reader rejects the checksum of the data, and libpng then reads the file again.
  @Test(arguments: [(47, 48, PNGFile.Color.rgb), (48, 47, .rgb), (48, 48, .gray)])
  func `a file that changes during decoding is rejected`(
    width: Int, height: Int, color: PNGFile.Color
  ) throws {
    var file = PNGFile(width: 48, height: 48, depth: 8, color: .rgb)
    file.scanlines = [UInt8](repeating: 0, count: 48 * (1 + 48 * 3))
    file.checksumError = 1
    var other = PNGFile(width: width, height: height, depth: 8, color: color)
    other.scanlines = [UInt8](repeating: 0, count: height * (1 + width * color.channelCount))
    let directory = TemporaryDirectory()
    let path = try directory.write("image.png", file.bytes)
    let opened = try #require(FileHandle(forReadingAtPath: path))
    let limits = ImageDecoder.Limits().codecLimits(of: ImageDecoder.Options())
    let codec = unsafe lqip_codec_create_with_descriptor(opened.fileDescriptor, limits)
    let reader = try unsafe ImageReader(ImageSource(codec), .png)
    var row = [UInt8](repeating: 0, count: 48 * 3)
    try directory.write("image.png", other.bytes)
    let error = #expect(throws: ImageDecodingError.self) {
      while try reader.readRow(into: &row) != nil {}
    }
    #expect(error == .corrupt(format: .png, reason: "the file changed during decoding"))
  }
  #endif

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

  /// An animation of one blue pixel behind a default image of another color.
  ///
  /// `changed` edits the content of the frame's fcTL chunk.
  private static func hiddenFrame(
    in chunks: Int = 1, changed: (inout [UInt8]) -> Void = { _ in }
  ) -> PNGFile {
    var file = PNGFile(width: 1, height: 1, depth: 8, color: .rgb)
    file.scanlines = [0, 200, 120, 60]
    file.ancillary = PNGFile.chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0])
    var control: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1] + Array(repeating: 0, count: 14)
    changed(&control)
    var blue = PNGFile(width: 1, height: 1, depth: 8, color: .rgb)
    blue.scanlines = [0, 0, 0, 255]
    let data = blue.stream
    let size = (data.count + chunks - 1) / chunks
    let parts = stride(from: 0, to: data.count, by: size).enumerated().flatMap { index, start in
      PNGFile.chunk(
        "fdAT", [0, 0, 0, UInt8(index + 1)] + data[start..<min(data.count, start + size)])
    }
    file.trailing = PNGFile.chunk("fcTL", control) + parts
    return file
  }

  private static let blue: SIMD3<Float> = [0, 0, 1]

  /// Chromium 156 and Firefox ESR 153 show the first frame.
  @Test(arguments: [1, 3], [false, true])
  func `the first frame replaces a default image that is no frame`(
    chunkCount: Int, isVerified: Bool
  ) throws {
    let file = Self.hiddenFrame(in: chunkCount)
    let image = try ImageDecoder(options: isVerified ? .verifying : .init()).decode(file.bytes)
    #expect(image.grid.cells == [Self.blue])
    #expect(image.isAnimated && image.warnings.isEmpty)
  }

  @Test func `damage in the first frame is found`() throws {
    var file = Self.hiddenFrame()
    file.trailing[file.trailing.count - 1] ^= 1
    #expect(throws: ImageDecodingError.self) {
      try ImageDecoder(options: .verifying).decode(file.bytes)
    }
  }

  /// No frame, another size, and an offset.
  @Test func `without a complete first frame, the default image is decoded with a warning`() throws
  {
    let warning = "default image shown: the first frame is missing, partial, or read from a pipe"
    var empty = Self.hiddenFrame()
    empty.trailing = []
    for file in [empty, Self.hiddenFrame { $0[7] = 2 }, Self.hiddenFrame { $0[15] = 1 }] {
      let image = try ImageDecoder().decode(file.bytes)
      #expect(image.grid.cells != [Self.blue])
      #expect(image.warnings == [warning])
    }
  }

  @Test(arguments: [
    ("pq", "HDR transfer function PQ: shown as on a screen without HDR"),
    ("hlg", "HDR transfer function HLG: shown as on a screen without HDR"),
    ("unspecified", "cICP chunk ignored: unsupported values"),
    ("narrow-range", "cICP chunk ignored: unsupported values"), ("display-p3", nil),
    ("bt-2020", nil), ("over-profile", nil),
  ])
  func `only HDR and unsupported color spaces cause a warning`(
    name: String, warning: String?
  ) throws {
    let warnings = try ImageDecoder().decode(fixture: "png-cicp-\(name).png").warnings
    #expect(warnings == (warning.map { [$0] } ?? []))
  }
}
