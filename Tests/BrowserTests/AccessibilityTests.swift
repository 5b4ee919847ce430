import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import lqip

extension BrowserTests {
  /// Tests that axe-core finds no accessibility violations.
  @Suite(.enabled(if: Axe.script != nil, "axe-core is not installed; run scripts/test-tools"))
  struct AccessibilityTests {
    private let directory = TemporaryDirectory()

    /// Writes two images and a file that is not an image, and returns their paths.
    private func writeFiles() throws -> [String] {
      try directory.write("broken.jpg", [1, 2, 3])
      for name in ["size-640x480.png", "png-rgba-8-bit.png"] {
        try directory.write(name, try Fixtures.bytes(name))
      }
      return ["size-640x480.png", "png-rgba-8-bit.png", "broken.jpg"].map(directory.file)
    }

    /// Expects no accessibility violations in light and dark mode.
    private func expectNoViolations(
      in page: any BrowserSession, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for medium in [Medium.screen, .dark] {
        try page.emulate(medium)
        let violations = try page.violations()
        #expect(violations == "", "\(medium)", sourceLocation: sourceLocation)
      }
    }

    @Test(arguments: Browser.installed)
    func `the server's page is accessible with and without images`(browser: Browser) throws {
      let server = try RunningServer()
      let page = try browser.open(server.url + "/")
      try expectNoViolations(in: page)
      try page.choose(try writeFiles(), in: "input[type=file]")
      try page.wait(
        for: "document.querySelector('.progress').textContent", toBe: "2 encoded, 1 failed")
      try expectNoViolations(in: page)
      _ = try page.evaluate(
        "document.querySelectorAll('details').forEach((each) => { each.open = true; })")
      try expectNoViolations(in: page)
      try page.resize(width: 390, height: 844)
      try expectNoViolations(in: page)
      _ = try page.evaluate("document.querySelector('.images .larger').click()")
      try expectNoViolations(in: page)
      #expect(page.messages == [])
    }

    @Test(arguments: Browser.installed)
    func `a gallery with every placeholder kind and a failure is accessible`(browser: Browser)
      throws
    {
      try GalleryCommand.write(
        directory.file("gallery.html"), of: try writeFiles(), kinds: PlaceholderKind.allCases)
      let page = try browser.open("file://\(directory.file("gallery.html"))")
      try expectNoViolations(in: page)
      #expect(try page.evaluate("document.querySelectorAll('.layer').length") == "18")
      _ = try page.evaluate(
        "document.querySelectorAll('details').forEach((each) => { each.open = true; })")
      try expectNoViolations(in: page)
      #expect(page.messages == [])
    }
  }
}
