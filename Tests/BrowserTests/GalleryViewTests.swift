import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import lqip

extension BrowserTests {
  /// Tests of the gallery in both browsers.
  @Suite struct GalleryViewTests {
    private let directory = TemporaryDirectory()

    /// Opens a gallery of two images and a failure, with one image deleted after encoding.
    private func openGallery(
      in browser: Browser, kinds: [PlaceholderKind]? = nil
    ) throws -> any BrowserSession {
      try directory.write("a b.png", try Fixtures.bytes("size-300x200.png"))
      try directory.write("gone.png", try Fixtures.bytes("size-31x57.png"))
      try directory.write("z.jpg", [1, 2, 3])
      try GalleryCommand.write(directory.file("gallery.html"), of: [directory.path], kinds: kinds)
      try FileManager.default.removeItem(atPath: directory.file("gone.png"))
      let page = try browser.open("file://\(directory.file("gallery.html"))")
      try page.wait(
        for: "[...document.querySelectorAll('.original')].every(({ complete }) => complete)",
        toBe: "true")
      return page
    }

    /// A script that lists the background images of LQIPs.
    private static let backgrounds =
      "[...document.querySelectorAll('span.layer[data-kind=lqip]')].map((each) => "
      + "getComputedStyle(each).backgroundImage.split('(')[0])"

    @Test(arguments: Browser.installed)
    func `a missing image shows its placeholder`(browser: Browser) throws {
      let page = try openGallery(in: browser)
      #expect(
        try page.evaluate(Self.backgrounds) == "radial-gradient,radial-gradient")
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
        let tall = try page.evaluate(
          "[...document.querySelectorAll('.card')].filter(({ offsetHeight }) => offsetHeight > 420).length"
        )
        #expect(tall == "0", "\(width)")
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
          try page.evaluate(Self.backgrounds) == "radial-gradient,radial-gradient",
          "\(medium)")
        let buttons = try page.evaluate(
          "[...new Set([...document.querySelectorAll('.chosen')].map((button) => "
            + "button.checkVisibility()))].join()")
        #expect(buttons == "\(medium != .print)", "\(medium)")
      }
    }

    @Test(arguments: Browser.installed)
    func `the larger view shows the image and every placeholder, uncropped, with their sizes`(
      browser: Browser
    ) throws {
      let page = try openGallery(in: browser, kinds: PlaceholderKind.allCases)
      #expect(try page.evaluate("document.querySelector('dialog')") == "null")
      _ = try page.evaluate("document.querySelector('.larger').click()")
      let captions = try page.evaluate(
        "[...document.querySelectorAll('figcaption')].map(({ innerText }) => innerText).join('|')")
      let names = [
        "LQIP", "BlurHash", "ThumbHash", "Tiny JPEG", "Preview", "SVG", "CSS integer",
        "Palette", "Average color",
      ].map { "\($0), [0-9]+ characters" }
      let expected = try Regex("300 × 200 [0-9]+ kB\\|\(names.joined(separator: "\\|"))")
      #expect(captions.wholeMatch(of: expected) != nil, "\(captions)")
      for width in [1280, 390] {
        try page.resize(width: width, height: 800)
        let wrong = try page.evaluate(
          """
          [...document.querySelectorAll(".whole > *")].filter((each) => {
            const { left, right, width, height } = each.getBoundingClientRect();
            return left < 0 || right > innerWidth || Math.abs(width / height - 1.5) > .02
              || !each.checkVisibility();
          }).length
          """)
        #expect(wrong == "0", "\(width)")
      }
      if Axe.script != nil { #expect(try page.violations() == "") }
      _ = try page.evaluate("document.querySelector('dialog button').click()")
      try page.wait(for: "document.querySelector('dialog')", toBe: "null")
      #expect(try page.evaluate("document.activeElement.className") == "stage larger")
      #expect(page.messages.filter { !$0.contains("gone.png") } == [])
    }

    @Test func `white and black pixels of transparent images differ from the background`() throws {
      try directory.write("a.png", try Fixtures.bytes("png-rgba-8-bit.png"))
      try GalleryCommand.write(directory.file("gallery.html"), of: [directory.path])
      let page = try Browser.chromium.open("file://\(directory.file("gallery.html"))")
      _ = try page.evaluate("document.querySelector('.original').style.visibility = 'hidden'")
      for medium in [Medium.screen, .dark] {
        try page.emulate(medium)
        let corner = try page.evaluate(
          "(({ left, top }) => [left + 20, top + 20])(document.querySelector('.stage').getBoundingClientRect())"
        )
        let numbers = corner.split(separator: ",").compactMap { Double($0) }
        let shot = try page.screenshot(width: 1280, height: 800)
        let position = (Int(numbers[1]) * shot.width + Int(numbers[0])) * 4
        #expect((0x80...0xb0).contains(shot.pixels[position]), "\(medium)")
      }
    }
  }
}
