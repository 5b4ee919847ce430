import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PreviewImageTests {
  private static func grid(_ name: String) throws -> PixelGrid {
    try ImageDecoder().decode(fixture: name).grid
  }

  @Test(arguments: try Fixtures.names(), [128, 400])
  func `a preview is a valid image within the byte limit`(name: String, byteCount: Int) throws {
    let grid = try Self.grid(name)
    let preview = try #require(PreviewImage(encoding: grid, .init(maximumByteCount: byteCount)))
    #expect(preview.dataURL.utf8.count <= byteCount)
    let prefix = "data:\(preview.format.mimeType);base64,"
    #expect(preview.dataURL.hasPrefix(prefix))
    let text = String(preview.dataURL.dropFirst(prefix.count))
    #expect(Data(base64Encoded: text).map { Array($0) } == preview.bytes)
    let image = try ImageDecoder(options: .verifying).decode(preview.bytes.span)
    #expect(image.format == preview.format)
    #expect(image.grid.sourceWidth == preview.width)
    #expect(image.grid.sourceHeight == preview.height)
    #expect(image.warnings == [])
    let whole = (grid.sourceWidth, grid.sourceHeight)
    let longSide = max(preview.width, preview.height)
    #expect([1, 2, 4, 8, 12, 16, 20, 24, 28, 32].contains(longSide))
    #expect(longSide <= max(whole.0, whole.1))
  }

  @Test(arguments: ["size-640x480.png", "jpeg-baseline-420.jpg", "size-300x200.png"])
  func `a preview resembles the image`(name: String) throws {
    let grid = try Self.grid(name)
    let preview = try #require(PreviewImage(encoding: grid))
    #expect(max(preview.width, preview.height) >= 16)
    let drawn = try ImageDecoder().decode(preview.bytes.span).grid
    for (one, other) in try zip(
      drawn.areaMeans(width: 4, height: 3), grid.areaMeans(width: 4, height: 3))
    {
      #expect(Oklab(linear: one).distance(to: Oklab(linear: other)) < 0.08)
    }
  }

  @Test func `a limit that is too small is raised to the minimum`() {
    var options = PreviewImage.Options(maximumByteCount: -1)
    #expect(options.maximumByteCount == PreviewImage.Options.minimumByteCount)
    options.maximumByteCount = PreviewImage.Options.minimumByteCount + 1
    #expect(options.maximumByteCount == PreviewImage.Options.minimumByteCount + 1)
    options.maximumByteCount = 0
    #expect(options.maximumByteCount == PreviewImage.Options.minimumByteCount)
  }

  @Test func `alpha is preserved and the background does not leak in`() throws {
    let pixels = (0..<64 * 64).flatMap { index -> [UInt8] in
      let isInside = (16..<48).contains(index % 64) && (16..<48).contains(index / 64)
      return isInside ? [255, 0, 0, 255] : [0, 0, 0, 0]
    }
    let grid = try PixelGrid(pixels: pixels, width: 64, height: 64, format: .rgba)
    let preview = try #require(PreviewImage(encoding: grid))
    #expect(preview.hasAlpha && preview.format == .png && preview.width >= 16)
    let file = try PlainPNG(preview.bytes)
    let samples = try file.samples()
    let center = (preview.height / 2 * preview.width + preview.width / 2) * 4
    #expect(samples[center..<center + 4] == [255, 0, 0, 255])
    #expect(samples[3] == 0)
    for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
      #expect(samples[pixel] == 255 && samples[pixel + 1] == 0)
    }
  }

  @Test func `the smaller of JPEG and PNG is chosen`() throws {
    let flat = PixelGrid(width: 40, height: 40) { _, _ in SRGBColor.white.linear }
    #expect(try #require(PreviewImage(encoding: flat)).format == .png)
    #expect(
      try #require(PreviewImage(encoding: try Self.grid("jpeg-baseline-420.jpg"))).format == .jpeg)
  }

  @Test func `a higher limit allows a larger preview`() throws {
    let grid = try Self.grid("size-640x480.png")
    let sides = try [128, 250, 400, 1000].map {
      try #require(PreviewImage(encoding: grid, .init(maximumByteCount: $0))).width
    }
    #expect(sides == sides.sorted() && sides[0] < sides[3])
    #expect(sides[3] == 32)
  }

  @Test func `the SVG is well formed and embeds the preview`() throws {
    for name in ["size-640x480.png", "png-rgba-8-bit.png"] {
      let preview = try #require(PreviewImage(encoding: try Self.grid(name)))
      let url = preview.svgDataURL
      #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F || $0 == 0x20 })
      #expect(!url.contains("\"") && !url.contains("#") && !url.contains("<"))
      let markup = try #require(
        url.replacing("data:image/svg+xml,", with: "").removingPercentEncoding)
      #expect(markup.contains("href='\(preview.dataURL)'"))
      #expect(markup.contains("viewBox='0 0 \(preview.width) \(preview.height)'"))
      #expect(markup.contains("feFuncA") == !preview.hasAlpha)
      #expect(markup.count { $0 == "<" } == markup.count { $0 == ">" })
    }
  }
}
