import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

extension BrowserTests {
  /// Tests that decoded images match both browsers.
  @Suite struct DecodedImageTests {
    /// Parts of the names of fixtures with transparency, an orientation, a color space or an unusual container.
    private static let subjects = [
      "alpha", "-trns", "-rgba", "hidden-color", "clear-color", "exif-", "orientation-", "cicp-",
      "gamma-", "icc", "cmyk", "ycck", "gif-frame-", "control-twice", "canvas-0x0",
      "extended", "one-frame", "without-colors", "unknown-chunks", "avif-",
    ]

    /// A file with 5,000 pointers to the same directory, which Firefox takes a minute to follow.
    private static let slow = "exif-circles.jpg"

    /// Fixtures that a browser shows differently, as listed in `Documentation/limits.md`.
    private static let exceptions: [Browser: Set<String>] = [
      .chromium: [
        "webp-lossless-alpha-without-flag.webp", "avif-clap.avif", "avif-clap-irot-imir.avif",
        "avif-grid-clap.avif", "avif-matrix-12.avif",
      ],
      .firefox: ["exif-behind-xmp.jpg", "gif-without-colors.gif", "avif-matrix-12.avif"],
    ]

    /// Parts of the names of fixtures with a color space, which Firefox ignores with the tests' preferences, and with
    /// a grid or a crop, which it does not show.
    private static let notInFirefox = [
      "icc", "cicp-", "gamma-", "avif-p3", "avif-pq", "avif-grid", "avif-clap",
    ]

    /// An image and its position on the page.
    private struct Picture {
      let name: String
      let grid: PixelGrid
      let left: Int
      let top: Int
    }

    private static let pageWidth = 1600
    private static let maximumSide = 300

    /// The subjects of up to 300 pixels per side, laid out in rows.
    private static func pictures(
      on background: SRGBColor, in browser: Browser
    ) throws -> [Picture] {
      let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.directory.path)
        .filter { name in
          // The frame that a browser shows depends on the time of the screenshot.
          subjects.contains(where: name.contains) && !name.hasPrefix("webp-animated-")
            && name != "avif-sequence.avif"
            && [".png", ".jpg", ".gif", ".webp", ".avif"].contains(where: name.hasSuffix)
            && exceptions[browser]?.contains(name) != true && name != slow
            && (browser == .chromium || !notInFirefox.contains(where: name.contains))
        }
      let decoder = ImageDecoder(options: .with { $0.background = background })
      var (left, top, height) = (0, 0, 0)
      return try names.sorted().compactMap { name in
        let grid = try decoder.decode(fixture: name).grid
        guard max(grid.sourceWidth, grid.sourceHeight) <= maximumSide else { return nil }
        if left + grid.sourceWidth > pageWidth { (left, top, height) = (0, top + height, 0) }
        defer { (left, height) = (left + grid.sourceWidth, max(height, grid.sourceHeight)) }
        return Picture(name: name, grid: grid, left: left, top: top)
      }
    }

    private static func preview(_ grid: PixelGrid) throws -> [Oklab] {
      let hash = BlurHash(encoding: grid, components: .exactly(x: 4, y: 3))
      return PixelGrid(try hash.bitmap(width: 32, height: 32)).cells.map { Oklab(linear: $0) }
    }

    @Test(
      arguments: Browser.installed,
      [SRGBColor.white, SRGBColor(red: 0x33, green: 0x66, blue: 0x99)])
    func `a decoded image matches the browser in size, average color and preview`(
      browser: Browser, background: SRGBColor
    ) throws {
      let pictures = try Self.pictures(on: background, in: browser)
      #expect(pictures.count >= 60)
      let images = pictures.map { picture in
        let position = "left:\(picture.left)px;top:\(picture.top)px"
        return "<img style=\"\(position)\" src=\"file://\(Fixtures.path(picture.name))\">"
      }
      let style = "body { background: \(background) } img { position: absolute }"
      let directory = TemporaryDirectory()
      let path = try directory.write(
        "page.html", Array("<!doctype html><style>\(style)</style>\(images.joined())".utf8))
      let session = try browser.open("file://\(path)")
      try session.wait(for: "[...document.images].every((image) => image.complete)", toBe: "true")
      let sizes = try session.evaluate(
        "[...document.images].map((image) => `${image.naturalWidth}x${image.naturalHeight}`)")
      let height = pictures.map { $0.top + $0.grid.sourceHeight }.max() ?? 0
      let painted = try session.screenshot(width: Self.pageWidth, height: height)
      for (picture, size) in zip(pictures, sizes.split(separator: ",")) {
        let (name, grid) = (picture.name, picture.grid)
        #expect(size == "\(grid.sourceWidth)x\(grid.sourceHeight)", "\(name)")
        let shown = PixelGrid(
          painted.part(
            x: picture.left, y: picture.top, width: grid.sourceWidth, height: grid.sourceHeight))
        let (own, other) = (grid.averageColor, shown.averageColor)
        let channels = [(own.red, other.red), (own.green, other.green), (own.blue, other.blue)]
        #expect(channels.allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(name): \(own), \(other)")
        let distances = try zip(Self.preview(grid), Self.preview(shown)).map { $0.distance(to: $1) }
        // A step of a BlurHash's contrast, which a small difference of lossy colors can cause.
        let limit: Float = name.hasPrefix("avif-") ? 0.03 : 0.02
        #expect(distances.reduce(0, +) / Float(distances.count) <= limit, "\(name)")
      }
    }
  }
}
