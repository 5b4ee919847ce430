import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// What Documentation/use-it-on-your-page.md shows for generators of sites makes pages that show placeholders.
  @Suite struct GeneratorTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
    }

    /// The page for LQIP in the markup, with something else in place of its image.
    private func page(with content: String) throws -> String {
      try site.recipe("lqip.html").replacing(/<img(?:.|\n)*?>/, with: content)
    }

    /// Expects a page to show the image of a project and its placeholder.
    private func expectImage(
      of project: RecipeProject, on page: String, in browser: Browser,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let text = try site.directory.text(of: page)
      let images = text.matches(of: /<img.*?>/).map { String($0.0) }
      try #require(try images == [project.image], sourceLocation: sourceLocation)

      let session = try browser.open(site.url(of: page))
      try session.wait(for: "document.images[0]?.naturalWidth > 0", toBe: "true")
      let found = try session.evaluate(
        """
        (({ naturalWidth, naturalHeight, width, height }, style) =>
          [naturalWidth, naturalHeight, width, height, style.getPropertyValue("--lqip").trim(),
            style.backgroundImage.split("(")[0]].join("|"))(
          document.images[0], getComputedStyle(document.images[0]))
        """)
      let lqip = try #require(try project.record["lqip"] as? String)
      let expected = "560|520|560|520|\(lqip)|radial-gradient"
      #expect(found == expected, "\(browser)", sourceLocation: sourceLocation)
      #expect(session.messages == [], "\(browser)", sourceLocation: sourceLocation)
    }

    @Test(
      .enabled(if: Hugo.isInstalled, "Hugo is not there; scripts/test-tools brings it"),
      arguments: Browser.installed)
    func `Hugo builds its recipe without a warning, and the page shows the placeholder`(
      browser: Browser
    ) throws {
      let project = try RecipeProject("hugo", of: site)
      // There is a template for the home page alone.
      let kinds = "disableKinds = ['404', 'rss', 'section', 'sitemap', 'taxonomy', 'term']\n"
      try project.directory.write("hugo.toml", Array(kinds.utf8))
      let template = try page(with: site.recipe("hero.gotmpl"))
      try project.directory.write("layouts/index.html", Array(template.utf8))
      try Hugo.build(project.directory, into: site.directory)
      try expectImage(of: project, on: "index.html", in: browser)
    }

    /// Renders with the Nunjucks that Eleventy has, and with the options that are its defaults there.
    ///
    /// Eleventy itself is not run: that templates get `_data/placeholders.json` as `placeholders`, and that the
    /// directory of images is copied, is as its manual says, and is done by the test.
    @Test(
      .enabled(if: Nunjucks.isInstalled, "Nunjucks is not there; scripts/test-tools brings it"),
      arguments: Browser.installed)
    func `Nunjucks renders the recipe for Eleventy, and the page shows the placeholder`(
      browser: Browser
    ) throws {
      let project = try RecipeProject("eleventy", of: site)
      #expect(try site.command(for: "eleventy").last == "_data/placeholders.json")
      try site.write("nunjucks.js", Nunjucks.script())
      try site.write(
        "render.html",
        "<!doctype html><meta charset=\"utf-8\"><script src=\"nunjucks.js\"></script>")
      let session = try browser.open(site.url(of: "render.html"))
      let template = try page(with: site.recipe("hero.njk"))
      let rendered = try session.evaluate(
        """
        new nunjucks.Environment([]).renderString(
          \(template.javaScript), { placeholders: \(project.data) })
        """)
      #expect(session.messages == [])
      try site.write("eleventy.html", rendered)
      try site.directory.write(
        "images/hero.jpg", Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
      try expectImage(of: project, on: "eleventy.html", in: browser)
    }
  }
}
