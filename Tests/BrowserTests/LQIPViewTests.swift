import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

/// What `LQIPView` fills; nil unless scripts/check-views has run.
private let fills = try? String(
  contentsOf: Fixtures.repository.appendingPathComponent(".build/views/fills.ndjson"),
  encoding: .utf8)

extension BrowserTests {
  /// Tests of what `LQIPView` fills, as scripts/check-views writes it.
  @Suite(.enabled(if: fills != nil, "run scripts/check-views"))
  struct LQIPViewTests {
    /// A canvas rounds each layer to 8 bits, and six colors have five layers.
    @Test(arguments: Browser.installed)
    func `the gradients of LQIPView are drawn like the library's bitmaps`(browser: Browser) throws {
      var drawings: [[String: Any]] = []
      for line in try #require(fills).split(separator: "\n") {
        var drawing = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let (width, height) = (drawing["width"] as? Int ?? 0, drawing["height"] as? Int ?? 0)
        let bitmap = try LQIP(parsing: drawing["lqip"] as? String ?? "").bitmap(
          width: width, height: height)
        drawing["pixels"] = Data(bitmap.pixels).base64EncodedString()
        drawings.append(drawing)
      }
      let page = try browser.open("data:text/html,<!doctype html>")
      let json = String(
        decoding: try JSONSerialization.data(withJSONObject: drawings), as: UTF8.self)
      let differences = try page.evaluate(
        """
        \(json).map(({ lqip, width, height, fills, pixels }) => {
          const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
          for (const { move, scale, rect, stops } of fills) {
            context.setTransform(scale[0], 0, 0, scale[1], ...move);
            const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
            for (const [location, [red, green, blue, alpha]] of stops) {
              gradient.addColorStop(location, `color(srgb ${red} ${green} ${blue} / ${alpha})`);
            }
            context.fillStyle = gradient;
            context.fillRect(...rect);
          }
          const expected = atob(pixels);
          const found = context.getImageData(0, 0, width, height).data;
          const worst = Math.max(...found.map((sample, index) => Math.abs(sample - expected.charCodeAt(index))));
          return `${lqip.length} ${worst}`;
        }).join()
        """
      ).split(separator: ",").map { $0.split(separator: " ").compactMap { Int($0) } }
      #expect(differences.filter { $0[0] == 9 }.count == 120)
      #expect(differences.count == 150)
      #expect(differences.allSatisfy { $0[1] <= ($0[0] == 9 ? 3 : 4) }, "\(differences)")
    }
  }
}
