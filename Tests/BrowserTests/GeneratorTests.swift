import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of the recipes for site generators.
  @Suite struct GeneratorTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
    }

    /// Returns the page of the LQIP recipe with `content` in place of its image.
    private func page(with content: String) throws -> String {
      try site.recipe("lqip.html").replacing(/<img(?:.|\n)*?>/, with: content)
    }

    /// Expects a page to show the image of a project and its placeholder.
    private func expectImage(
      of project: RecipeProject, on page: String, below path: String = "/", in browser: Browser,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let text = try site.directory.text(of: page)
      let images = text.matches(of: /<img((?:.|\n)*?)>/).map { $0.1 }
      try #require(images.count == 1, sourceLocation: sourceLocation)
      let attributes = images[0].matches(of: /[a-z]+="[^"]*"/).map { String($0.0) }
      try #require(
        try attributes == project.attributes(below: path), sourceLocation: sourceLocation)

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
      .enabled(if: Hugo.isInstalled, "Hugo is not installed; run scripts/test-tools"),
      arguments: Browser.installed)
    func `the Hugo recipe shows the placeholder under a sub-path`(browser: Browser) throws {
      let project = try RecipeProject(
        "hugo.sh", of: site, root: "static/", output: "data/placeholders.json")
      // Only the home page has a template.
      let configuration = """
        baseURL = "https://www.example.org/docs/"
        disableKinds = ["404", "rss", "section", "sitemap", "taxonomy", "term"]

        """
      try project.directory.write("hugo.toml", Array(configuration.utf8))
      let template = try page(with: site.recipe("hero.gotmpl"))
      try project.directory.write("layouts/index.html", Array(template.utf8))
      try Hugo.build(project.directory, into: site.directory.file("docs"))
      try site.write("docs/lqip.css", try site.directory.text(of: "lqip.css"))
      try expectImage(of: project, on: "docs/index.html", below: "/docs/", in: browser)
    }

    /// Renders the recipe with Nunjucks and the default options of Eleventy.
    ///
    /// Eleventy itself does not run. The test imitates `_data/placeholders.json`, the `url` filter
    /// and the directory of images.
    @Test(
      .enabled(if: Nunjucks.isInstalled, "Nunjucks is not installed; run scripts/test-tools"),
      arguments: Browser.installed)
    func `the Eleventy recipe shows the placeholder`(browser: Browser) throws {
      let project = try RecipeProject(
        "eleventy.sh", of: site, root: "", output: "_data/placeholders.json")
      try site.write("nunjucks.js", Nunjucks.script())
      try site.write(
        "render.html",
        "<!doctype html><meta charset=\"utf-8\"><script src=\"nunjucks.js\"></script>")
      let session = try browser.open(site.url(of: "render.html"))
      let template = try page(with: site.recipe("hero.njk"))
      let rendered = try session.evaluate(
        """
        new nunjucks.Environment([]).addFilter("url", (path) => path).renderString(
          \(template.javaScript), { placeholders: \(project.data) })
        """)
      #expect(session.messages == [])
      try site.write("eleventy.html", rendered)
      try site.directory.write("images/hero.jpg", Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
      try expectImage(of: project, on: "eleventy.html", in: browser)
    }
  }
}
