import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PreviewImageTests {
  private static func grid(_ name: String) throws -> PixelGrid {
    try ImageDecoder().decode(fixture: name).grid
  }

  /// The distance between a decoded preview and the image.
  private static func distance(of preview: PreviewImage, from grid: PixelGrid) throws -> Float {
    let drawn = try ImageDecoder().decode(preview.bytes.span).grid
    return PictureDistance(to: grid).distance(
      of: try drawn.bitmap(width: preview.width, height: preview.height))
  }

  @Test(
    arguments: try Fixtures.names(),
    [(PreviewImage.Format.webp, 128), (.webp, 400), (.jpeg, 128), (.jpeg, 400)])
  func `a preview is a valid image within the byte limit`(
    name: String, options: (format: PreviewImage.Format, byteCount: Int)
  ) throws {
    let grid = try Self.grid(name)
    let preview = try #require(
      PreviewImage(
        encoding: grid,
        .init(format: options.format, maximumByteCount: options.byteCount)))
    #expect(preview.dataURL.utf8.count <= options.byteCount)
    #expect((preview.format == .webp) == (options.format == .webp))
    let prefix = "data:\(preview.format.mimeType);base64,"
    #expect(preview.dataURL.hasPrefix(prefix))
    let text = String(preview.dataURL.dropFirst(prefix.count))
    #expect(Data(base64Encoded: text).map { Array($0) } == preview.bytes)
    #expect(PreviewImage(dataURL: preview.dataURL) == preview)
    let image = try ImageDecoder(options: .verifying).decode(preview.bytes.span)
    #expect(image.format == preview.format)
    #expect(image.grid.sourceWidth == preview.width)
    #expect(image.grid.sourceHeight == preview.height)
    #expect(image.grid.isOpaque != preview.hasAlpha)
    #expect(image.warnings == [])
    let longSide = max(preview.width, preview.height)
    #expect(longSide <= max(grid.sourceWidth, grid.sourceHeight))
    #expect(longSide <= PreviewImage.maximumSide)
  }

  @Test(arguments: [(1, 1), (1, 3000), (3000, 2), (40, 40), (64, 48)], [128, 400, 8192])
  func `previews of noise with and without alpha fit every byte limit`(
    size: (width: Int, height: Int), byteCount: Int
  ) throws {
    var numbers = LCG(seed: 7)
    let pixels = (0..<size.width * size.height * 4).map { _ in
      UInt8(truncatingIfNeeded: numbers.next() >> 24)
    }
    let clear = try PixelGrid(
      pixels: pixels, width: size.width, height: size.height, format: .rgba)
    let opaque = try PixelGrid(
      pixels: Array(pixels.dropLast(size.width * size.height)), width: size.width,
      height: size.height, format: .rgb)
    for grid in [clear, opaque] {
      for format in PreviewImage.Format.allCases {
        let preview = try #require(
          PreviewImage(encoding: grid, .init(format: format, maximumByteCount: byteCount)))
        #expect(preview.dataURL.utf8.count <= byteCount)
        #expect(PreviewImage(dataURL: preview.dataURL) == preview)
      }
    }
  }

  @Test(
    arguments: ["size-640x480.png", "jpeg-baseline-420.jpg", "size-300x200.png"],
    PreviewImage.Format.allCases)
  func `a preview resembles the image`(name: String, format: PreviewImage.Format) throws {
    let grid = try Self.grid(name)
    let preview = try #require(PreviewImage(encoding: grid, .init(format: format)))
    #expect(max(preview.width, preview.height) >= 16)
    let drawn = try ImageDecoder().decode(preview.bytes.span).grid
    for (one, other) in try zip(
      drawn.areaMeans(width: 4, height: 3), grid.areaMeans(width: 4, height: 3))
    {
      #expect(Oklab(linear: one).distance(to: Oklab(linear: other)) < 0.08)
    }
  }

  @Test(arguments: ["size-640x480.png", "jpeg-baseline-420.jpg", "jpeg-gray.jpg"], [200, 400])
  func `a WebP preview is closer to the image than a JPEG preview`(name: String, byteCount: Int)
    throws
  {
    let grid = try Self.grid(name)
    let distances = try [PreviewImage.Format.webp, .jpeg].map { format in
      let preview = try #require(
        PreviewImage(encoding: grid, .init(format: format, maximumByteCount: byteCount)))
      return try Self.distance(of: preview, from: grid)
    }
    #expect(distances[0] < distances[1])
  }

  @Test func `a byte limit below the minimum is raised to the minimum`() {
    var options = PreviewImage.Options(maximumByteCount: -1)
    #expect(options.maximumByteCount == PreviewImage.Options.minimumByteCount)
    options.maximumByteCount = PreviewImage.Options.minimumByteCount + 1
    #expect(options.maximumByteCount == PreviewImage.Options.minimumByteCount + 1)
    options.maximumByteCount = 0
    #expect(options.maximumByteCount == PreviewImage.Options.minimumByteCount)
  }

  @Test(arguments: PreviewImage.Format.allCases)
  func `a preview preserves alpha and ignores the color of transparent pixels`(
    format: PreviewImage.Format
  ) throws {
    let pixels = (0..<64 * 64).flatMap { index -> [UInt8] in
      let isInside = (16..<48).contains(index % 64) && (16..<48).contains(index / 64)
      return isInside ? [255, 0, 0, 255] : [0, 0, 0, 0]
    }
    let grid = try PixelGrid(pixels: pixels, width: 64, height: 64, format: .rgba)
    let preview = try #require(PreviewImage(encoding: grid, .init(format: format)))
    #expect(preview.hasAlpha && preview.format != .jpeg && preview.width >= 16)
    let drawn = try ImageDecoder().decode(preview.bytes.span).grid
      .bitmap(width: preview.width, height: preview.height)
    let center = (preview.height / 2 * preview.width + preview.width / 2) * 4
    #expect(drawn.pixels[center..<center + 4] == [255, 0, 0, 255])
    #expect(drawn.pixels[3] == 0)
    for first in stride(from: 0, to: drawn.pixels.count, by: 4) where drawn.pixels[first + 3] > 0 {
      #expect(drawn.pixels[first] > 250 && drawn.pixels[first + 1] < 5)
    }
  }

  @Test func `a preview preserves a soft alpha gradient and its colors`() throws {
    var pixels: [UInt8] = []
    for y in 0..<64 {
      for x in 0..<96 {
        pixels += [UInt8(y * 4), 90, UInt8(255 - y * 3), UInt8(x * 255 / 95)]
      }
    }
    let grid = try PixelGrid(pixels: pixels, width: 96, height: 64, format: .rgba)
    let preview = try #require(PreviewImage(encoding: grid))
    #expect(preview.hasAlpha)
    #expect(try Self.distance(of: preview, from: grid) < 0.3)
    let drawn = try ImageDecoder().decode(preview.bytes.span).grid.bitmap(width: 4, height: 1)
    for (pixel, expected) in [32, 96, 159, 223].enumerated() {
      #expect(abs(Int(drawn.pixels[pixel * 4 + 3]) - expected) < 24)
    }
  }

  @Test func `the preview of a flat image has its exact color`() throws {
    let color = SRGBColor(red: 51, green: 102, blue: 153)
    let flat = PixelGrid(width: 40, height: 40) { _, _ in color.linear }
    let preview = try #require(PreviewImage(encoding: flat))
    #expect(try ImageDecoder().decode(preview.bytes.span).grid.averageColor == color)
  }

  @Test func `a preview is a PNG if no JPEG fits the limit`() throws {
    let grid = try Self.grid("jpeg-baseline-420.jpg")
    func format(_ byteCount: Int) throws -> ImageFormat {
      try #require(
        PreviewImage(encoding: grid, .init(format: .jpeg, maximumByteCount: byteCount))
      ).format
    }
    #expect(try format(400) == .jpeg)
    #expect(try format(128) == .png)
  }

  @Test(arguments: PreviewImage.Format.allCases)
  func `a higher byte limit produces a preview closer to the image`(format: PreviewImage.Format)
    throws
  {
    let grid = try Self.grid("size-640x480.png")
    let distances = try [128, 250, 400, 1000].map {
      try Self.distance(
        of: try #require(
          PreviewImage(encoding: grid, .init(format: format, maximumByteCount: $0))),
        from: grid)
    }
    #expect(distances == distances.sorted(by: >) && distances[0] > distances[3])
  }

  @Test func `the SVG of a preview is well formed and embeds the preview`() throws {
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
