#if GIF && WebP
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

/// The frames of GIF and WebP animations.
@Suite struct AnimationTests {
  @Test(arguments: [
    ("gif-animated-two-frames.gif", "gif-64-colors.gif", 2),
    ("gif-animated-301-frames.gif", "gif-64-colors.gif", 301),
    ("gif-animated-comments-between.gif", "gif-64-colors.gif", 2),
    ("webp-animated.webp", "webp-lossless-rgb.webp", 2),
    ("webp-animated-301-frames.webp", "webp-lossless-rgb.webp", 301),
    ("webp-animated-empty-first.webp", "webp-lossless-rgb.webp", nil),
    ("webp-animated-alpha.webp", "webp-lossless-rgba.webp", nil),
    ("webp-animated-lossy-alpha.webp", "webp-alpha.webp", nil),
  ])
  func `an animation decodes to its first frame, and its frames are counted`(
    fixture: String, first: String, count: Int?
  ) throws {
    let animated = try ImageDecoder().decode(fixture: fixture)
    let still = try ImageDecoder().decode(fixture: first)
    #expect(animated.isAnimated && !still.isAnimated)
    #expect(animated.grid == still.grid)
    #expect(count == nil || animated.frameCount == count)
    #expect(still.frameCount == nil)
  }

  @Test(arguments: [
    ("gif-frame-offset.gif", 12, 8), ("gif-frame-offset-interlaced.gif", 11, 7),
    ("gif-animated-offset.gif", 12, 8), ("gif-frame-left.gif", 0, 0),
    ("gif-frame-below.gif", 0, 20), ("webp-animated-offset.webp", 12, 8),
  ])
  func `a frame is placed on a transparent canvas`(fixture: String, x: Int, y: Int) throws {
    let name = fixture.hasPrefix("gif") ? "gif-64-colors.gif" : "webp-lossless-rgb.webp"
    let still = try ImageDecoder().decode(fixture: name).grid
    let framed = try ImageDecoder().decode(fixture: fixture)
    #expect(framed.hasAlpha)
    let width = framed.grid.sourceWidth
    try #require(framed.grid.columnCount == width, "a cell is a pixel")
    for row in 0..<framed.grid.sourceHeight {
      for column in 0..<width {
        let isInside = (x..<x + 45).contains(column) && (y..<y + 33).contains(row)
        let color =
          isInside ? still.light[(row - y) * 45 + column - x].xyz : SIMD3(repeating: 1)
        #expect(framed.grid.light[row * width + column].xyz == color)
      }
    }
  }

  @Test func `a truncated GIF animation is rejected only during verification`() throws {
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
