import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// What Documentation/use-it-on-your-page.md shows works in both browsers, each page under its own policy.
  @Suite struct RecipeTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
    }

    /// What is painted behind the image of a page: on the screen while it is not there, and once it is; on paper.
    private static let backgrounds = [
      "fade.html": ("radial-gradient", "radial-gradient", "none"),
      "integer.html": ("radial-gradient", "radial-gradient", "none"),
      "lqip.html": ("radial-gradient", "radial-gradient", "none"),
      "preview.html": ("url", "url", "url"),
      "strict.html": ("radial-gradient", "none", "none"),
      "transparent.html": ("radial-gradient", "none", "none"),
    ]

    private static let image = "document.images[0]"
    private static let background = """
      getComputedStyle(document.querySelector('.fade') ?? \(image)).backgroundImage.split('(')[0]
      """
    private static let opacity = "getComputedStyle(\(image)).opacity"

    /// A form of a page in which its image is far below, where lazy images are not loaded.
    private func writeFar(_ page: String) throws -> String {
      let (name, space) = ("far-\(page)", String(repeating: "<br>", count: 2000))
      try site.write(name, from: page, replacing: "<img ", with: "\(space)<img loading=lazy ")
      // An image that some other page has loaded would be there at once.
      try site.write(name, from: name, replacing: "g\" width", with: "g?\(page)\" width")
      return site.url(of: name)
    }

    @Test(arguments: Browser.installed)
    func `each page shows its placeholder until its image is there, and complains of nothing`(
      browser: Browser
    ) throws {
      try #require(site.pages == Self.backgrounds.keys.sorted())
      for (page, (before, after, printed)) in Self.backgrounds {
        let session = try browser.open(try writeFar(page))
        #expect(try session.evaluate("\(Self.image).naturalWidth") == "0", "\(browser) \(page)")
        #expect(try session.evaluate(Self.background) == before, "\(browser) \(page)")
        for medium in [Medium.print, .forcedColors] {
          try session.emulate(medium)
          #expect(try session.evaluate(Self.background) == printed, "\(browser) \(page), \(medium)")
          let opacity = page == "fade.html" && medium == .forcedColors ? "0" : "1"
          try session.wait(for: Self.opacity, toBe: opacity)
        }
        try session.emulate(.screen)
        _ = try session.evaluate("\(Self.image).scrollIntoView()")
        try session.wait(for: "\(Self.image).naturalWidth > 0", toBe: "true")
        try session.wait(for: Self.background, toBe: after)
        try session.wait(for: Self.opacity, toBe: "1")
        #expect(session.messages == [], "\(browser) \(page)")
      }
    }

    @Test(arguments: Browser.installed)
    func `an image that does not come leaves its placeholder and has a text`(
      browser: Browser
    ) throws {
      for (page, (before, _, _)) in Self.backgrounds {
        try site.write(
          "missing-\(page)", from: page, replacing: "<img src=\"", with: "<img src=\"missing-")
        let session = try browser.open(site.url(of: "missing-\(page)"))
        try session.wait(for: "\(Self.image).complete", toBe: "true")
        try session.wait(for: Self.opacity, toBe: "1")
        #expect(try session.evaluate(Self.background) == before, "\(browser) \(page)")
        #expect(try session.evaluate("\(Self.image).alt.length > 5") == "true", "\(page)")
      }
    }

    /// If the tests were blind, they would pass.
    @Test(arguments: Browser.installed)
    func `a style attribute that a policy blocks is noticed`(browser: Browser) throws {
      try site.write(
        "blocked.html", from: "lqip.html", replacing: "; style-src-attr 'unsafe-inline'", with: "")
      let session = try browser.open(site.url(of: "blocked.html"))
      #expect(!session.messages.isEmpty)
      let value = try session.evaluate("getComputedStyle(\(Self.image)).getPropertyValue('--lqip')")
      #expect(value == "")
    }
  }
}
