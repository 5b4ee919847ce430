import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

extension BrowserTests {
  /// Tests that rendered placeholders match both browsers.
  @Suite struct RenderingTests {
    private let directory = TemporaryDirectory()

    /// The markup of a page of boxes, each with its expected bitmap.
    private struct Sheet {
      var markup = ""
      var boxes: [(bitmap: RGBABitmap, x: Int, y: Int)] = []

      /// Adds a row of boxes of equal size.
      mutating func addRow(_ row: [(bitmap: RGBABitmap, style: String)]) {
        let y = height
        for (index, box) in row.enumerated() {
          let (bitmap, x) = (box.bitmap, index * box.bitmap.width)
          markup += """
            <div style="left:\(x)px;top:\(y)px;width:\(bitmap.width)px;height:\(bitmap.height)px;\
            \(box.style)"></div>
            """
          boxes.append((bitmap, x, y))
        }
      }

      var width: Int { boxes.map { $0.x + $0.bitmap.width }.max() ?? 0 }
      var height: Int { boxes.map { $0.y + $0.bitmap.height }.max() ?? 0 }
    }

    private func expect(
      _ sheet: Sheet, with stylesheet: String, in browser: Browser, minimumRatio: Double
    ) throws {
      let style = "body { margin: 0; overflow: hidden } div { position: absolute }"
      let path = try directory.write(
        "page.html",
        Array(
          "<!doctype html><title>page</title><style>\(stylesheet)\(style)</style><body>\(sheet.markup)"
            .utf8))
      let session = try browser.open("file://\(path)")
      let painted = try session.screenshot(width: max(640, sheet.width), height: sheet.height)
      var worst = Double.infinity
      for (bitmap, x, y) in sheet.boxes {
        let part = painted.part(x: x, y: y, width: bitmap.width, height: bitmap.height)
        worst = min(worst, bitmap.signalToNoiseRatio(to: part))
      }
      #expect(worst >= minimumRatio, "\(browser): \(worst) dB")
    }

    private static let sizes = [(36, 24), (24, 36), (64, 16)]

    @Test(arguments: Browser.installed)
    func `rendered tiny JPEGs match the browser`(browser: Browser) throws {
      var sheet = Sheet()
      for (width, height) in [(16, 8), (8, 16), (80, 40), (60, 80)] {
        sheet.addRow(
          try (1...8).map { index in
            let grid = PixelGrid.noise(width: width * index, height: height * index)
            let tiny = TinyJPEG(encoding: grid)
            let style = "background:url(\(tiny.dataURL)) 0 0/100% 100% no-repeat"
            return (try tiny.bitmap(width: width, height: height), style)
          })
      }
      try expect(sheet, with: "", in: browser, minimumRatio: 38)
    }

    @Test(arguments: Browser.installed)
    func `rendered LQIPs match the stylesheet`(browser: Browser) throws {
      var sheet = Sheet()
      var random = LCG(seed: 49)
      for (width, height) in Self.sizes {
        sheet.addRow(
          try (0..<50).map { index in
            let first = LQIP.PackedColors(rawValue: random.nextHalf())
            let second = index % 5 == 0 ? LQIP.PackedColors(rawValue: random.nextHalf()) : nil
            let other = second.map { ";--lqip2:\($0)" } ?? ""
            return (
              try LQIP(first, second).bitmap(width: width, height: height),
              "--lqip:\(first)\(other)"
            )
          })
      }
      try expect(sheet, with: LQIP.stylesheet, in: browser, minimumRatio: 49)
    }

    @Test(arguments: Browser.installed)
    func `rendered CSS integers match the stylesheet`(browser: Browser) throws {
      var sheet = Sheet()
      var random = LCG(seed: 20)
      for (width, height) in Self.sizes + [(40, 40)] {
        sheet.addRow(
          try (0..<50).map { _ in
            let bits = Int(random.nextHalf() >> 12)
            let value = try #require(CSSInteger(bits + CSSInteger.range.lowerBound))
            return (try value.bitmap(width: width, height: height), "--lqip-css:\(value)")
          })
      }
      try expect(sheet, with: CSSInteger.stylesheet, in: browser, minimumRatio: 45)
    }

    @Test(arguments: Browser.installed)
    func `browsers decode preview and SVG data URLs`(browser: Browser) throws {
      let names = try Fixtures.names().filter { !$0.contains("65535") }.prefix(60)
      let previews = try names.map { name in
        try #require(PreviewImage(encoding: try ImageDecoder().decode(fixture: name).grid))
      }
      let images = previews.flatMap {
        ["<img src=\"\($0.dataURL)\">", "<img src=\"\($0.svgDataURL)\">"]
      }
      let path = try directory.write("page.html", Array("<!doctype html>\(images.joined())".utf8))
      let session = try browser.open("file://\(path)")
      try session.wait(for: "[...document.images].every((image) => image.complete)", toBe: "true")
      let sizes = try session.evaluate(
        "[...document.images].map((image) => `${image.naturalWidth}x${image.naturalHeight}`)")
      let drawn = sizes.split(separator: ",").map(String.init)
      try #require(drawn.count == previews.count * 2)
      for (index, preview) in previews.enumerated() {
        #expect(drawn[index * 2] == "\(preview.width)x\(preview.height)", "\(names[index])")
        #expect(!drawn[index * 2 + 1].hasPrefix("0x"), "\(names[index])")
      }
    }
  }
}
