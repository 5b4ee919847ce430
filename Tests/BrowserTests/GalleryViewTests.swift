import Foundation
import PlaceholdersTestSupport
import Testing

@testable import lqip

extension BrowserTests {
  /// Tests of the gallery in both browsers.
  @Suite struct GalleryViewTests {
    private let directory = TemporaryDirectory()

    /// Opens a gallery of two images and a failure, with one image deleted after encoding.
    private func openGallery(in browser: Browser) throws -> any BrowserSession {
      try directory.write("a b.png", try Fixtures.bytes("size-300x200.png"))
      try directory.write("gone.png", try Fixtures.bytes("size-31x57.png"))
      try directory.write("z.jpg", [1, 2, 3])
      try GalleryCommand.write(directory.file("gallery.html"), of: [directory.path])
      try FileManager.default.removeItem(atPath: directory.file("gone.png"))
      let page = try browser.open("file://\(directory.file("gallery.html"))")
      try page.wait(
        for: "[...document.querySelectorAll('.original')].every(({ complete }) => complete)",
        toBe: "true")
      return page
    }

    /// Returns a script that lists the background images of elements.
    private static func backgrounds(_ selector: String) -> String {
      "[...document.querySelectorAll('\(selector)')].map((each) => "
        + "getComputedStyle(each).backgroundImage.split('(')[0])"
    }

    @Test(arguments: Browser.installed)
    func `a missing image shows its placeholder`(browser: Browser) throws {
      let page = try openGallery(in: browser)
      #expect(
        try page.evaluate(Self.backgrounds("span.layer")) == "radial-gradient,radial-gradient")
      let loaded = try page.evaluate(
        "[...document.querySelectorAll('.original')].map(({ naturalWidth }) => naturalWidth > 0)")
      #expect(loaded == "true,false")
      // Only the layers of the chosen kind are visible.
      let shown =
        "[...document.querySelectorAll('.layer')].filter((each) => "
        + "each.checkVisibility()).map(({ dataset }) => dataset.kind)"
      #expect(try page.evaluate(shown) == "lqip,lqip")
      try page.chooseKind("blurhash")
      #expect(try page.evaluate(shown) == "blurhash,blurhash")
    }

    @Test(arguments: Browser.installed)
    func `pictures fill their cards at every window width`(browser: Browser) throws {
      let page = try openGallery(in: browser)
      for width in [1280, 800, 390] {
        try page.resize(width: width, height: 800)
        #expect(try page.distortedPictures() == "", "\(width)")
        let overflow =
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)("
          + "document.documentElement)"
        #expect(try page.evaluate(overflow) == "0")
      }
    }

    @Test(arguments: Browser.installed)
    func `placeholders are drawn in print and forced colors, and buttons are not printed`(
      browser: Browser
    ) throws {
      let page = try openGallery(in: browser)
      for medium in Medium.allCases {
        try page.emulate(medium)
        #expect(
          try page.evaluate(Self.backgrounds("span.layer")) == "radial-gradient,radial-gradient",
          "\(medium)")
        let buttons = try page.evaluate(
          "[...new Set([...document.querySelectorAll('.replay, .chosen, .larger')].map((button) => "
            + "button.checkVisibility()))].join()")
        #expect(buttons == "\(medium != .print)", "\(medium)")
      }
    }

    @Test(arguments: Browser.installed)
    func `the larger view fills the window and can change the placeholder kind`(
      browser: Browser
    ) throws {
      let page = try openGallery(in: browser)
      #expect(try page.evaluate("document.querySelector('dialog')") == "null")
      _ = try page.evaluate("document.querySelector('.larger').click()")
      // The picture fills the window in at least one direction.
      let isLarge = try page.evaluate(
        """
        ((view, { clientWidth, clientHeight }) => Math.max(
          clientWidth / view.clientWidth, clientHeight / view.clientHeight) > 0.7)(
          ...document.querySelectorAll('dialog .view, dialog .stage'))
        """)
      #expect(isLarge == "true")
      if Axe.script != nil { #expect(try page.violations() == "") }
      try page.point("down", at: "dialog .stage")
      try page.waitForOpacity(0, of: "dialog .stage")
      try page.point("up", at: "dialog .stage")
      try page.waitForOpacity(1, of: "dialog .stage")
      _ = try page.evaluate("document.querySelector('dialog [value=blurhash]').click()")
      let shown =
        "[...document.querySelectorAll('dialog .layer')].filter((each) => "
        + "each.checkVisibility()).map(({ dataset }) => dataset.kind)"
      #expect(try page.evaluate(shown) == "blurhash")
      _ = try page.evaluate("document.querySelector('dialog .choices > button').click()")
      try page.wait(for: "document.querySelector('dialog')", toBe: "null")
      #expect(
        try page.evaluate("document.querySelector('.bar [name=kind]:checked').value") == "blurhash")
      #expect(try page.evaluate("document.activeElement.className") == "scripted larger")
      #expect(page.messages.filter { !$0.contains("gone.png") } == [])
    }
  }
}
