import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import PlaceholderEncoding
@testable import lqip

extension BrowserTests {
  /// axe-core finds nothing that keeps people out.
  @MainActor
  @Suite(.enabled(if: Axe.script != nil, "axe-core is not there; scripts/test-tools brings it"))
  struct AccessibilityTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
    }

    /// Files of which one is no image.
    private func writeFiles() throws -> [String] {
      try directory.write("broken.jpg", [1, 2, 3])
      for name in ["size-640x480.png", "png-rgba-8-bit.png"] {
        try directory.write(name, try Fixtures.bytes(name))
      }
      return ["size-640x480.png", "png-rgba-8-bit.png", "broken.jpg"].map(directory.file)
    }

    /// Expects nothing in light and in dark colors.
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
    func `the page of the server, without and with images`(browser: Browser) throws {
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
    func `the gallery, with every kind and a failure`(browser: Browser) throws {
      var command = GalleryCommand()
      command.encoding.paths = try writeFiles().map { FilePath($0) }
      // Fitting takes long without optimization, and is not what is tested here.
      command.encoding.placeholders.lqip = .corners
      command.encoding.limits.timeout = .seconds(600)
      command.records.kinds = PlaceholderKind.allCases
      command.output.path = FilePath(directory.file("gallery.html"))
      _ = try command.run()
      let page = try browser.open("file://\(directory.file("gallery.html"))")
      try expectNoViolations(in: page)
      #expect(try page.evaluate("document.querySelectorAll('.layer').length") == "12")
      _ = try page.evaluate(
        "document.querySelectorAll('details').forEach((each) => { each.open = true; })")
      try expectNoViolations(in: page)
      #expect(page.messages == [])
    }

    /// If the tests were blind, they would pass.
    @Test(arguments: Browser.installed)
    func `a page that keeps people out is noticed`(browser: Browser) throws {
      let page = try browser.open("data:text/html,<title>page</title><img src='data:,'>")
      #expect(try page.violations().contains("image-alt"))
    }
  }
}
