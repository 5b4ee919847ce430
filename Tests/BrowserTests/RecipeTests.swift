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
      "astro.sh", "eleventy.sh", "fade.css", "fade.js", "hashes.js", "hero.astro", "hero.gotmpl",
      "hero.jsx", "hero.njk", "hugo.sh", "next.sh", "photo.jsx", "photo.vue", "placeholders.css",
      "placeholders.js",
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

    /// Runs the recipe with stubs of the npm decoders, which record their arguments.
    @Test(arguments: Browser.installed)
    func `a BlurHash or ThumbHash is the background until the image loads`(
      browser: Browser
    ) throws {
      let (blurHash, thumbHash) = ("LtDTq;t3kCV[yGs.j@WXIWoff5bI", "1QcSHQRnh493V4dIh4eXh1h4kJUI")
      try site.write(
        "blurhash.js",
        """
        window.given = [];
        export function decode(hash, width, height) {
          given.push([hash, width, height].join());
          return new Uint8ClampedArray(width * height * 4).fill(200);
        }
        """)
      try site.write(
        "thumbhash.js",
        """
        export function thumbHashToDataURL(bytes) {
          given.push(btoa(String.fromCharCode(...bytes)));
          return "data:image/png;base64,";
        }
        """)
      let space = String(repeating: "<br>", count: 2000)
      let image = "width=\"320\" height=\"240\" alt=\"\" loading=\"lazy\""
      try site.write(
        "hashes.html",
        """
        <!doctype html><meta charset="utf-8">
        <script type="importmap">
          { "imports": { "blurhash": "./blurhash.js", "thumbhash": "./thumbhash.js" } }
        </script>
        <script type="module" src="hashes.js"></script>\(space)
        <img src="photo.jpg?blurhash" \(image) data-blurhash="\(blurHash)">
        <img src="photo.jpg?thumbhash" \(image) data-thumbhash="\(thumbHash)">
        """)
      let session = try browser.open(site.url(of: "hashes.html"))
      try session.wait(for: "given.join(' ')", toBe: "\(blurHash),32,32 \(thumbHash)")
      let backgrounds =
        "[...document.images].map(i => i.style.backgroundImage.split(',')[0].slice(0, 26)).join()"
      let url = "url(\"data:image/png;base64"
      try session.wait(for: backgrounds, toBe: "\(url),\(url)")
      _ = try session.evaluate("\(Self.image).scrollIntoView()")
      try session.wait(for: backgrounds, toBe: ",")
      #expect(session.messages == [], "\(browser)")
    }
  }
}
