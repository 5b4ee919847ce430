import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords
@testable import LqipOptions
@testable import lqip

extension BrowserTests {
  /// What a gallery shows and does in both browsers.
  @MainActor
  @Suite struct GalleryViewTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
    }

    /// Opens the gallery of two images, of which the second has gone since, and of a file that is none.
    private func openGallery(in browser: Browser) throws -> any BrowserSession {
      try directory.write("a b.png", try Fixtures.bytes("size-300x200.png"))
      try directory.write("gone.png", try Fixtures.bytes("size-31x57.png"))
      try directory.write("z.jpg", [1, 2, 3])
      var command = GalleryCommand()
      command.encoding.paths = [FilePath(directory.path)]
      // Fitting takes long without optimization, and is not what is tested here.
      command.encoding.placeholders.lqip = .corners
      command.encoding.limits.timeout = .seconds(600)
      command.output.path = FilePath(directory.file("gallery.html"))
      _ = try command.run()
      try FileManager.default.removeItem(atPath: directory.file("gone.png"))
      let page = try browser.open("file://\(directory.file("gallery.html"))")
      try page.wait(
        for: "[...document.images].every(({ complete }) => complete)", toBe: "true")
      return page
    }

    private static let originals = "[...document.querySelectorAll('img[alt=\"The image\"]')]"

    /// What is painted behind elements.
    private static func backgrounds(_ elements: String) -> String {
      "\(elements).map((each) => getComputedStyle(each).backgroundImage.split('(')[0])"
    }

    @Test(arguments: Browser.installed)
    func `placeholders lie under their own images until these are there`(
      browser: Browser
    ) throws {
      let page = try openGallery(in: browser)
      #expect(try page.evaluate(Self.backgrounds(Self.originals)) == "none,radial-gradient")
      let text = try page.evaluate("document.querySelector('h2').textContent")
      #expect(text.hasSuffix("z.jpg"), "what failed is named first")
    }

    @Test(arguments: Browser.installed)
    func `placeholders are there in print and in forced colors as well, and no buttons on paper`(
      browser: Browser
    ) throws {
      let page = try openGallery(in: browser)
      for medium in Medium.allCases {
        try page.emulate(medium)
        let drawn = Self.backgrounds("[...document.querySelectorAll('[role=img]')]")
        #expect(try page.evaluate(drawn) == "radial-gradient,radial-gradient", "\(medium)")
        let buttons = try page.evaluate(
          "[...new Set([...document.querySelectorAll('main button')].map((button) => "
            + "button.checkVisibility()))].join()")
        #expect(buttons == "\(medium != .print)", "\(medium)")
      }
    }

    @Test(arguments: Browser.installed)
    func `the markup to copy is that of the image`(browser: Browser) throws {
      let page = try openGallery(in: browser)
      let copied = try page.evaluate(
        """
        new Promise((resolve) => {
          navigator.clipboard.writeText = async (text) => resolve(text);
          document.querySelector("[aria-label='Copy HTML']").click();
        })
        """)
      let value = try page.evaluate(
        "document.querySelector('[role=img]').style.getPropertyValue('--lqip')")
      #expect(
        copied == "<img src=\"a%20b.png\" width=\"300\" height=\"200\" alt=\"\" loading=\"lazy\" "
          + "style=\"--lqip:\(value)\">")
    }

    @Test(arguments: Browser.installed)
    func `the larger view goes from an image to its placeholders and back`(
      browser: Browser
    ) throws {
      let page = try openGallery(in: browser)
      let state = """
        [document.querySelector("dialog").open, document.querySelector("[aria-pressed=true]")?.textContent,
          document.querySelector(".stage").firstElementChild?.ariaLabel
            ?? document.querySelector(".stage img")?.alt]
        """
      #expect(try page.evaluate(state) == "false,,")
      let steps = [
        (
          "[...document.querySelectorAll('li button')].find((each) => each.textContent == 'Larger')",
          "true,Original,The image"
        ),
        ("document.querySelector('.stage')", "true,BlurHash,Its BlurHash"),
        ("document.querySelector('.choices button:nth-child(3)')", "true,LQIP,Its LQIP"),
        ("document.querySelector('.stage')", "true,Original,The image"),
        ("document.querySelector('.stage')", "true,LQIP,Its LQIP"),
      ]
      for (element, expected) in steps {
        _ = try page.evaluate("\(element).click()")
        #expect(try page.evaluate(state) == expected, "\(element)")
      }
      // It fills the room there is in one direction, whatever the window's shape.
      let isLarge = try page.evaluate(
        """
        ((stage, { clientWidth, clientHeight }) => Math.max(
          clientWidth / stage.clientWidth, clientHeight / stage.clientHeight) > 0.7)(
          ...document.querySelectorAll('.stage, .stage .picture'))
        """)
      #expect(isLarge == "true")
      if Axe.script != nil { #expect(try page.violations() == "") }
      _ = try page.evaluate("document.querySelector('.choices button:last-child').click()")
      #expect(try page.evaluate("document.querySelector('dialog').open") == "false")
      #expect(page.messages.filter { !$0.contains("gone.png") } == [])
    }
  }
}
