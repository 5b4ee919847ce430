#if GIF

import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct GIFReaderTests {
  private static func decode(
    _ fixture: String, _ change: (inout ImageDecoder) -> Void = { _ in }
  ) throws -> DecodedImage {
    var decoder = ImageDecoder()
    change(&decoder)
    return try decoder.decode(fixture: fixture)
  }

  @Test func `the color of a transparent index is ignored`() throws {
    for background in [SRGBColor.white, .black, SRGBColor(red: 200, green: 30, blue: 90)] {
      let hidden = try ["", "-hidden"].map { twin in
        try Self.decode("gif-clear-color\(twin).gif") { $0.options.background = background }
      }
      #expect(hidden[0] == hidden[1])
    }
  }

  @Test(arguments: [
    ("gif-uncompressed.gif", "gif-64-colors.gif"), ("gif-small-blocks.gif", "gif-64-colors.gif"),
    ("gif-data-behind-end.gif", "gif-64-colors.gif"),
    ("gif-extensions.gif", "gif-64-colors.gif"), ("gif-one-frame.gif", "gif-64-colors.gif"),
    ("gif-trailing-garbage.gif", "gif-64-colors.gif"),
    ("gif-without-trailer.gif", "gif-64-colors.gif"),
    ("gif-named-png.png", "gif-64-colors.gif"), ("gif-canvas-0x0.gif", "gif-64-colors.gif"),
    ("gif-frame-larger.gif", "gif-64-colors.gif"),
    ("gif-control-twice.gif", "gif-64-colors.gif"),
    ("gif-local-over-global-colors.gif", "gif-local-colors.gif"),
    ("gif-clear-color-interlaced.gif", "gif-clear-color.gif"),
  ])
  func `files that store the same pixels differently decode to equal images`(
    fixture: String, plain: String
  ) throws {
    #expect(try Self.decode(fixture) == Self.decode(plain))
  }

  @Test func `a color index beyond the palette is black, as in Chromium`() throws {
    let size = [1, 0, 1, 0] as [UInt8]
    let white = [UInt8](repeating: 255, count: 64 * 3)
    // Three codes of eight bits: clear, color 64, end.
    let data = [7, 3, 128, 64, 129, 0] as [UInt8]
    let file =
      Array("GIF89a".utf8) + size + [0x85, 0, 0] + white + [0x2C, 0, 0, 0, 0] + size + [0] + data
      + [0x3B]
    let grid = try ImageDecoder().decode(file.span).grid
    #expect(grid.cells == [SIMD3.zero])
  }

  @Test(arguments: ["two-frames", "301-frames", "comments-between"])
  func `an animation decodes to its first frame`(name: String) throws {
    let animated = try Self.decode("gif-animated-\(name).gif")
    let still = try Self.decode("gif-64-colors.gif")
    #expect(animated.isAnimated)
    #expect(!still.isAnimated)
    #expect(animated.grid == still.grid)
  }

  @Test(arguments: [
    ("gif-animated-two-frames.gif", 2), ("gif-animated-301-frames.gif", 301),
    ("gif-animated-comments-between.gif", 2), ("gif-one-frame.gif", nil),
    ("gif-64-colors.gif", nil),
  ])
  func `the frames of an animation are counted`(fixture: String, count: Int?) throws {
    #expect(try Self.decode(fixture).frameCount == count)
  }

  @Test func `the frame count stops at 65,536`() throws {
    // Frames of one pixel without data replace the trailer.
    let bytes = try Fixtures.bytes("gif-64-colors.gif").dropLast()
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]
    for (extra, count) in [(65_534, 65_535), (65_535, 65_536), (90_000, 65_536)] {
      let file = Array(bytes) + [UInt8]((0..<extra).map { _ in frame }.joined())
      #expect(try ImageDecoder().decode((file + [0x3B]).span).frameCount == count)
      #expect(throws: ImageDecodingError.truncated(format: .gif, reason: "unexpected end of file"))
      {
        try ImageDecoder(options: .verifying).decode(Array(file.dropLast(4)).span)
      }
    }
  }

  @Test(arguments: [
    ("gif-frame-offset.gif", 12, 8), ("gif-frame-offset-interlaced.gif", 11, 7),
    ("gif-animated-offset.gif", 12, 8), ("gif-frame-left.gif", 0, 0),
    ("gif-frame-below.gif", 0, 20),
  ])
  func `a frame is placed on a transparent canvas`(fixture: String, x: Int, y: Int) throws {
    let still = try Self.decode("gif-64-colors.gif").grid
    let framed = try Self.decode(fixture)
    #expect(framed.hasAlpha)
    #expect(framed.grid.hasCellsOfOnePixel)
    let width = framed.grid.sourceWidth
    for row in 0..<framed.grid.sourceHeight {
      for column in 0..<width {
        let isInside = (x..<x + 45).contains(column) && (y..<y + 33).contains(row)
        let color =
          isInside ? still.light[(row - y) * 45 + column - x].xyz : SIMD3(repeating: 1)
        #expect(framed.grid.light[row * width + column].xyz == color)
      }
    }
  }

  @Test func `a canvas above the pixel limit is rejected`() throws {
    let most = 640 * 480
    _ = try Self.decode("gif-640x480.gif") { $0.limits.maximumPixelCounts[.gif] = most }
    #expect(
      throws: ImageDecodingError.tooLarge(reason: "640x480 pixels, above the limit of \(most - 1)")
    ) {
      try Self.decode("gif-640x480.gif") { $0.limits.maximumPixelCounts[.gif] = most - 1 }
    }
  }

  @Test func `an expired time limit stops decoding`() throws {
    #expect(throws: ImageDecodingError.timedOut) {
      try Self.decode("gif-noise.gif") { $0.limits.timeLimit = .zero }
    }
  }

  @Test func `a truncated animation is rejected only during verification`() throws {
    let bytes = try Fixtures.bytes("gif-animated-301-frames.gif")
    let cut = Array(bytes.dropLast(20))
    var decoder = ImageDecoder()
    #expect(try decoder.decode(cut.span).grid == decoder.decode(bytes.span).grid)
    decoder.options.verifiesWholeFile = true
    _ = try decoder.decode(bytes.span)
    #expect(throws: ImageDecodingError.truncated(format: .gif, reason: "unexpected end of file")) {
      try decoder.decode(cut.span)
    }
  }
}

#endif
