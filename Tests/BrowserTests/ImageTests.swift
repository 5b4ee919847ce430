import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

extension BrowserTests {
  /// Tests that decoded images match both browsers.
  @Suite struct ImageTests {
    private static let fixtures = [
      "png-rgba-8-bit.png", "png-gray-alpha-8-bit.png", "png-palette-4-bit-trns.png",
      "png-adam7-rgba-8-bit.png", "png-cicp-narrow-range.png", "webp-alpha.webp",
      "webp-alpha-raw-none.webp", "webp-lossless-rgba.webp", "webp-alpha-without-flag.webp",
      "webp-exif-behind-image.webp", "jpeg-cmyk-without-adobe.jpg",
      "jpeg-progressive-repeated-dc-264x272.jpg",
    ]

    private static func preview(_ grid: PixelGrid) -> [Oklab] {
      let hash = BlurHash(encoding: grid, components: ComponentCount(x: 4, y: 3))
      return PixelGrid(hash.bitmap(width: 32, height: 32)).cells.map { Oklab(linear: $0) }
    }

    @Test(
      arguments: Browser.installed,
      [SRGBColor.white, SRGBColor(red: 0x33, green: 0x66, blue: 0x99)])
    func `a decoded image has the size, average color and preview of its screenshot`(
      browser: Browser, background: SRGBColor
    ) throws {
      let decoder = ImageDecoder(options: .with { $0.background = background })
      let grids = try Self.fixtures.map { try decoder.decode(fixture: $0).grid }
      let lefts = grids.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.sourceWidth) }
      let images = zip(Self.fixtures, lefts).map { name, left in
        "<img style=\"left:\(left)px\" src=\"file://\(Fixtures.path(name))\">"
      }
      let style = "body { background: \(background.hex) } img { position: absolute; top: 0 }"
      let directory = try TemporaryDirectory()
      let path = try directory.write(
        "page.html", Array("<!doctype html><style>\(style)</style>\(images.joined())".utf8))
      let session = try browser.open("file://\(path)")
      try session.wait(for: "[...document.images].every((image) => image.complete)", toBe: "true")
      let sizes = try session.evaluate(
        "[...document.images].map((image) => `${image.naturalWidth}x${image.naturalHeight}`)")
      #expect(sizes == grids.map { "\($0.sourceWidth)x\($0.sourceHeight)" }.joined(separator: ","))
      let height = grids.map(\.sourceHeight).max() ?? 0
      let painted = try session.screenshot(width: lefts[grids.count], height: height)
      for (index, grid) in grids.enumerated() {
        let shown = PixelGrid(
          painted.part(
            x: lefts[index], y: 0, width: grid.sourceWidth, height: grid.sourceHeight))
        let (own, other) = (grid.averageColor, shown.averageColor)
        let channels = [(own.red, other.red), (own.green, other.green), (own.blue, other.blue)]
        let name = Self.fixtures[index]
        #expect(channels.allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(name): \(own), \(other)")
        let distances = zip(Self.preview(grid), Self.preview(shown)).map { $0.distance(to: $1) }
        #expect(distances.reduce(0, +) / Float(distances.count) <= 0.02, "\(name)")
      }
    }
  }
}
