import Testing

extension BrowserTests {
  /// Tests of the recipes in Documentation/on-your-page.md, each page under its own policy.
  @Suite struct RecipeTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
    }

    /// The background of the image on each page: before and after it has loaded, and in print.
    private static let backgrounds = [
      "fade.html": ("radial-gradient", "none", "none"),
      "hashes.html": ("url", "none", "url"),
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

    /// Writes a copy of a page with the image far below the viewport, where lazy loading defers it.
    private func writeWithDistantImage(_ page: String) throws -> String {
      let (name, space) = ("far-\(page)", String(repeating: "<br>", count: 2000))
      try site.write(name, from: page, replacing: "<img ", with: "\(space)<img loading=lazy ")
      // A unique URL keeps the image out of the browser's cache.
      try site.write(name, from: name, replacing: "g\" width", with: "g?\(page)\" width")
      return site.url(of: name)
    }

    @Test(arguments: Browser.installed)
    func `each recipe page shows its placeholder until its image loads`(browser: Browser) throws {
      try #require(site.pages == Self.backgrounds.keys.sorted())
      for (page, (before, after, printed)) in Self.backgrounds {
        let session = try browser.open(try writeWithDistantImage(page))
        #expect(try session.evaluate("\(Self.image).naturalWidth") == "0", "\(browser) \(page)")
        #expect(try session.evaluate(Self.background) == before, "\(browser) \(page)")
        for medium in [Medium.print, .forcedColors] {
          try session.emulate(medium)
          #expect(try session.evaluate(Self.background) == printed, "\(browser) \(page), \(medium)")
          let opacity = page == "fade.html" && medium == .forcedColors ? "0.01" : "1"
          try session.wait(for: Self.opacity, toBe: opacity)
        }
        try session.emulate(.screen)
        _ = try session.evaluate("\(Self.image).scrollIntoView()")
        try session.wait(for: "\(Self.image).naturalWidth > 0", toBe: "true")
        try session.wait(for: Self.background, toBe: after)
        try session.wait(for: Self.opacity, toBe: "1")
        if Axe.script != nil { #expect(try session.violations() == "", "\(browser) \(page)") }
        #expect(session.messages == [], "\(browser) \(page)")
      }
    }

    @Test(.enabled(if: Chromium.isInstalled, "Chromium is not installed; run scripts/test-tools"))
    func `the largest contentful paint of each recipe is its image, and nothing shifts`() throws {
      for page in Self.backgrounds.keys {
        // The heading of the other page is larger than its image.
        guard page != "transparent.html" else { continue }
        let session = try Browser.chromium.open(site.url(of: page))
        try session.wait(for: "\(Self.image).complete", toBe: "true")
        // Observers report entries from before their registration.
        let entries = """
          (type) => new Promise((resolve) => {
            new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
            setTimeout(resolve, 1000, []);
          })
          """
        try session.wait(
          for: """
            (\(entries))("largest-contentful-paint").then((all) => all.at(-1)?.element === \(Self.image))
            """, toBe: "true")
        #expect(
          try session.evaluate("(\(entries))('layout-shift').then(({ length }) => length)") == "0",
          "\(page)")
      }
    }

    @Test(arguments: Browser.installed)
    func `a missing image shows its placeholder and has alt text`(browser: Browser) throws {
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

    /// The recipes that are not pages; those of frameworks have their own tests.
    private static let otherRecipes = [
      "fade.css", "hero.jsx", "next.sh", "photo.jsx", "photo.vue",
    ]

    @Test func `every recipe has a test`() {
      #expect(site.names == (Self.otherRecipes + Self.backgrounds.keys).sorted())
    }

    @Test(arguments: Browser.installed)
    func `the alt text is hidden while an image loads and shown if loading fails`(
      browser: Browser
    ) throws {
      let color = "getComputedStyle(\(Self.image)).color"
      for page in ["strict.html", "transparent.html"] {
        let loading = try browser.open(try writeWithDistantImage(page))
        #expect(try loading.evaluate(color) == "rgba(0, 0, 0, 0)", "\(browser) \(page)")
        try site.write(
          "missing-\(page)", from: page, replacing: "<img src=\"", with: "<img src=\"missing-")
        let failed = try browser.open(site.url(of: "missing-\(page)"))
        try failed.wait(for: color, toBe: "rgb(0, 0, 0)")
      }
    }
  }
}
