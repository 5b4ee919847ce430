#if WebP

import CPlaceholderCodecs
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct WebPReaderTests {
  private static func decode(
    _ fixture: String, _ change: (inout ImageDecoder) -> Void = { _ in }
  ) throws -> DecodedImage {
    var decoder = ImageDecoder()
    change(&decoder)
    return try decoder.decode(fixture: fixture)
  }

  @Test(arguments: [
    (
      "webp-lossless-rgb.webp",
      [
        "webp-extended.webp", "webp-unknown-chunks.webp", "webp-exif-before-image.webp",
        "webp-exif-behind-image.webp", "webp-lossless-alpha-without-flag.webp",
        "webp-trailing-garbage.webp", "webp-named-png.png", "webp-animated-one-frame.webp",
      ]
    ),
    (
      "webp-alpha-raw-none.webp",
      [
        "webp-alpha-raw-horizontal.webp", "webp-alpha-raw-vertical.webp",
        "webp-alpha-raw-gradient.webp",
      ]
    ),
    ("webp-lossless-method-6.webp", ["webp-lossless-method-0.webp"]),
  ])
  func `files that store the same pixels differently decode to equal images`(
    plain: String, others: [String]
  ) throws {
    let image = try ImageDecoder().decode(fixture: plain)
    for name in others { #expect(try ImageDecoder().decode(fixture: name) == image, "\(name)") }
  }

  @Test func `the frame count stops at 65,536`() throws {
    let pixel = Self.chunk("VP8L", [0x2F, 0, 0, 0, 0, 0x88, 0x88, 8])
    let frame = Self.chunk("ANMF", [UInt8](repeating: 0, count: 16) + pixel)
    let canvas = Self.chunk("VP8X", [2] + [UInt8](repeating: 0, count: 9))
    let start = Array("WEBP".utf8) + canvas + Self.chunk("ANIM", [0, 0, 0, 0, 0, 0])
    for (added, count) in [(65_535, 65_535), (65_536, 65_536), (70_000, 65_536)] {
      let frames = [UInt8]((0..<added).map { _ in frame }.joined())
      let file = Self.chunk("RIFF", start + frames)
      #expect(try ImageDecoder().decode(file).frameCount == count)
      #expect(try ImageDecoder(options: .verifying).decode(file).frameCount == count)
      #expect(throws: ImageDecodingError.self) { try ImageDecoder().decode(file.dropLast(1)) }
    }
  }

  @Test(arguments: [
    "webp-lossy-560x520.webp", "webp-lossy-1100x1040.webp", "webp-lossless-520x530.webp",
    "webp-lossless-checkerboard-600x600.webp", "webp-lossless-size-128x128.webp",
    "webp-lossless-200-colors.webp",
  ])
  func `images up to four megapixels are decoded at full size`(
    fixture: String
  ) throws {
    #expect(try Self.decode(fixture) == Self.decode(fixture) { $0.options.isExact = true })
  }

  @Test(arguments: ["webp-lossy-8200x520.webp", "webp-lossy-2400x1800.webp"])
  func `decoding a large image at a reduced scale changes BlurHash digits by at most one`(
    fixture: String
  ) throws {
    let scaled = try PlaceholderEncoder().encode(fixture: fixture)
    let exact = try PlaceholderEncoder(decoding: .exact).encode(fixture: fixture)
    #expect(try Self.decode(fixture) != Self.decode(fixture) { $0.options.isExact = true })
    #expect(scaled.width == exact.width && scaled.height == exact.height)
    let hashes = try [scaled, exact].map { try #require($0.blurHash) }
    #expect(hashes[0].differences(from: hashes[1]).allSatisfy { $0 <= 1 })
  }

  @Test(arguments: [
    // Images, a row of blocks, and the decoded rows.
    ("webp-lossless-520x530.webp", 520 * 530 * 19 / 4 + 520 * 128 + 520 * 530 * 3),
    ("webp-alpha-540x530.webp", 540 * 530 * 5 + 540 * 128 + 540 * 530 * 4),
    ("webp-lossy-1100x1040.webp", 1100 * 128 + 1100 * 1040 * 3),
    // Rows are decoded at 1/4.
    ("webp-lossy-2400x1800.webp", 2400 * 128 + 600 * 450 * 3),
  ])
  func `the error for an image above the memory limit states the required memory`(
    fixture: String, needed: Int
  ) throws {
    _ = try Self.decode(fixture) { $0.limits.maximumDecodeMemory = needed }
    let megabytes = (needed + 999_999) / 1_000_000
    #expect(
      throws: ImageDecodingError.tooLarge(
        reason: "decoding needs \(megabytes) MB of memory, "
          + "above the limit of \((needed - 1) / 1_000_000)")
    ) {
      try Self.decode(fixture) { $0.limits.maximumDecodeMemory = needed - 1 }
    }
  }

  @Test func `the compressed size of a file counts towards the memory limit`() throws {
    let path = Fixtures.path("webp-lossy-1100x1040.webp")
    let file = try #require(FileHandle(forReadingAtPath: path))
    let size = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
    var decoder = ImageDecoder()
    decoder.options.isExact = true
    decoder.limits.maximumDecodeMemory = size / 2
    #expect(throws: ImageDecodingError.self) {
      try decoder.decode(fileDescriptor: file.fileDescriptor)
    }
  }

  /// A frame of 45x33 pixels on a larger canvas.
  private static func frame(onCanvasOf width: Int, _ height: Int) throws -> [UInt8] {
    var bytes = try Fixtures.bytes("webp-animated-offset.webp")
    let sides = [width, height].flatMap { side in
      (0..<3).map { UInt8(truncatingIfNeeded: (side - 1) >> (8 * $0)) }
    }
    bytes.replaceSubrange(24..<30, with: sides)
    return bytes
  }

  @Test(arguments: [(16_384, 60), (80, 16_384)])
  func `a canvas with a side above 16,383 pixels is rejected`(width: Int, height: Int) throws {
    let bytes = try Self.frame(onCanvasOf: width, height)
    #expect(throws: ImageDecodingError.tooLarge(reason: "a side exceeds 16,383 pixels")) {
      try ImageDecoder().decode(bytes.span)
    }
  }

  @Test func `on the largest canvas, only the pixels of the frame are converted`() throws {
    let bytes = try Self.frame(onCanvasOf: 16_383, 16_383)
    var (rowCount, pixelCount) = (0, 0)
    try unsafe bytes.withUnsafeBufferPointer { bytes in
      let limits = ImageDecoder.Limits().codecLimits(of: ImageDecoder.Options())
      let codec = unsafe lqip_codec_create_with_bytes(bytes.baseAddress, bytes.count, limits)
      let source = try unsafe ImageSource(codec)
      let format = try source.format()
      let reader = try ImageReader(source, format)
      var row = [UInt8](repeating: 0, count: Int(reader.header.decoded_width) * 4)
      while let place = try reader.readRow(into: &row) {
        rowCount += 1
        pixelCount += Int(place.count)
      }
    }
    #expect(rowCount == 16_383)
    #expect(pixelCount == 45 * 33)
    let grid = try ImageDecoder().decode(bytes.span).grid
    #expect(grid.cells.dropFirst().allSatisfy { $0 == SIMD3(repeating: 1) })
    #expect(grid.alphas.dropFirst().allSatisfy { $0 == 0 })
    #expect(
      grid.alphas[0] == Float(45 * 33) / Float(grid.columns[0].upperBound * grid.rows[0].upperBound)
    )
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
    return Array(name.utf8) + size + content
  }

  @Test func `a file shorter than its header says is rejected, or decoded leniently`() throws {
    let still = Array(try Fixtures.bytes("webp-extended.webp").dropFirst(12))
    let content = Array("WEBP".utf8) + still + Self.chunk("EXIF", [1, 2, 3, 4])
    let complete = Self.chunk("RIFF", content)
    let image = try ImageDecoder().decode(complete)
    #expect(throws: ImageDecodingError.truncated(format: .webp, reason: "unexpected end of file")) {
      try ImageDecoder().decode(complete.dropLast(3))
    }
    #expect(throws: ImageDecodingError.corrupt(format: .webp, reason: "invalid container")) {
      try ImageDecoder().decode(Self.chunk("RIFF", content.dropLast(3)))
    }
    var lenient = ImageDecoder()
    lenient.options.isLenient = true
    let rest = try lenient.decode(complete.dropLast(3))
    #expect(rest.grid == image.grid)
    #expect(rest.warnings == ["truncated: unexpected end of file"])
  }

  /// Chromium 156 and Firefox ESR 153, except that Firefox applies the profile of an animation.
  @Test(arguments: [(0x20, true), (0, false), (0x22, false)], [true, false])
  func `a profile on either side of the image applies only with its flag, and to stills`(
    flags: (value: UInt8, applies: Bool), isFirst: Bool
  ) throws {
    let icc = Self.chunk("ICCP", try ICCProfile.embedded(in: "jpeg-icc-linear.jpg"))
    let image = Array(try Fixtures.bytes("webp-lossless-rgb.webp").dropFirst(12))
    let canvas = Self.chunk("VP8X", [flags.value, 0, 0, 0, 44, 0, 0, 32, 0, 0])
    let place: [UInt8] = [0, 0, 0, 0, 0, 0, 44, 0, 0, 32, 0, 0, 1, 0, 0, 0]
    let frames =
      Self.chunk("ANIM", [0, 0, 0, 0, 0, 0]) + Self.chunk("ANMF", place + image)
    let pixels = flags.value & 2 == 0 ? image : frames
    let chunks = canvas + (isFirst ? icc + pixels : pixels + icc)
    let shown = try ImageDecoder().decode(Self.chunk("RIFF", Array("WEBP".utf8) + chunks))
    let plain = try Self.decode("webp-lossless-rgb.webp")
    #expect((shown.grid != plain.grid) == flags.applies)
    #expect(shown.warnings.isEmpty == (flags.value != 0x22))
  }

  @Test func `a frame behind a still image is rejected, as in browsers`() throws {
    let image = Array(try Fixtures.bytes("webp-lossless-rgb.webp").dropFirst(12))
    let canvas = Self.chunk("VP8X", [0, 0, 0, 0, 44, 0, 0, 32, 0, 0])
    let place: [UInt8] = [0, 0, 0, 0, 0, 0, 44, 0, 0, 32, 0, 0, 1, 0, 0, 0]
    let frame = Self.chunk("ANMF", place + image)
    #expect(throws: ImageDecodingError.corrupt(format: .webp, reason: "invalid container")) {
      try ImageDecoder().decode(Self.chunk("RIFF", Array("WEBP".utf8) + canvas + image + frame))
    }
  }

  @Test func `an ICC profile above 4 MiB is ignored with a warning`() throws {
    let file = Array(try Fixtures.bytes("webp-icc-garbage.webp").dropFirst(12))
    let (canvas, image) = (file.prefix(18), file.dropFirst(18 + 8 + 200))
    let ignored = [
      "ICC profile above 4 MiB ignored",
      "color profile ignored: damaged or for a different color space",
    ]
    for (size, warning) in [(4 << 20 + 2, ignored[0]), (4 << 20, ignored[1])] {
      let profile = Self.chunk("ICCP", [UInt8](repeating: 7, count: size))
      let bytes = Self.chunk("RIFF", Array("WEBP".utf8) + canvas + profile + image)
      #expect(try ImageDecoder().decode(bytes).warnings == [warning])
    }
  }
}

#endif
