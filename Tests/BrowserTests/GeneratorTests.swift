import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of `lqip html` with the output of site generators.
  @Suite struct GeneratorTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
    }

    private static let photo = "jpeg-half-scale-560x520.jpg"

    /// Inserts placeholders into a site, and expects the images of a page to show theirs and to keep their sizes.
    private func expectImages(
      _ sizes: [String], on page: String, of folder: String, in browser: Browser,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let run = try Program(
        "html", site.directory.file(folder), "--url-prefix", "/\(folder)/",
        "--cache", site.directory.file("cache.ndjson"))
      #expect(run.status == 0, "\(run.errors)", sourceLocation: sourceLocation)
      let encoding = try Program("encode", "--text", "lqip", Fixtures.path(Self.photo))
      let lqip = try #require(encoding.lines.first)
      let session = try browser.open(site.url(of: "\(folder)/\(page)"))
      let isLoaded = "[...document.images].every((image) => image.naturalWidth > 0)"
      try session.wait(for: isLoaded, toBe: "true")
      let found = try session.evaluate(
        """
        [...document.images].map((image) => {
          const style = getComputedStyle(image);
          return [image.width, image.height, style.getPropertyValue("--lqip").trim(),
            style.backgroundImage.split("(")[0]].join("|");
        }).join(" ")
        """)
      let expected = sizes.map { "\($0)|\(lqip)|radial-gradient" }.joined(separator: " ")
      #expect(found == expected, "\(browser)", sourceLocation: sourceLocation)
      #expect(session.messages == [], "\(browser)", sourceLocation: sourceLocation)
    }

    @Test(
      .enabled(if: Hugo.isInstalled, "Hugo is not installed; run scripts/test-tools"),
      arguments: Browser.installed)
    func `a site of Hugo under a sub-path shows placeholders of images with fingerprinted names`(
      browser: Browser
    ) throws {
      let project = TemporaryDirectory()
      // Only the home page has a template.
      let configuration = """
        baseURL = "https://www.example.org/blog/"
        disableKinds = ["404", "rss", "section", "sitemap", "taxonomy", "term"]

        """
      try project.write("hugo.toml", Array(configuration.utf8))
      try project.write("assets/hero.jpg", Fixtures.bytes(Self.photo))
      let template = """
        <!doctype html><meta charset="utf-8"><title>Hugo</title><style>img { width: 140px; }</style>
        {{ $hero := resources.Get "hero.jpg" | fingerprint }}
        <img src="{{ $hero.RelPermalink }}" alt="">

        """
      try project.write("layouts/index.html", Array(template.utf8))
      try Hugo.build(project, into: site.directory.file("blog"))
      let page = try site.directory.text(of: "blog/index.html")
      try #require(page.contains(/src="\/blog\/hero\.[0-9a-f]{64}\.jpg"/))
      try expectImages(["140|130"], on: "index.html", of: "blog", in: browser)
    }

    /// Pages as Eleventy and its image plugin write them; neither runs.
    @Test(arguments: Browser.installed)
    func `a site of Eleventy shows placeholders of its responsive images`(browser: Browser) throws {
      for name in ["Xy-280.jpeg", "Xy-560.jpeg"] {
        try site.directory.write("site/img/\(name)", Fixtures.bytes(Self.photo))
      }
      try site.write(
        "site/posts/first/index.html",
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Eleventy</title>
        <style>@layer page { .narrow { height: 65px; width: auto; } }</style></head><body>
        <picture><source type="image/webp" srcset="/site/img/Xy-560.jpeg 560w" sizes="280px">
        <img src="/site/img/Xy-560.jpeg" alt="" width="560" height="520" style="max-width:280px;height:auto"
        ></picture><img class="narrow" src="../../img/Xy-280.jpeg" alt="">
        <img src="/site/img/Xy-280.jpeg" srcset="/site/img/Xy-560.jpeg 560w" sizes="70px" alt="">
        </body></html>
        """)
      try expectImages(
        ["280|260", "70|65", "70|65"], on: "posts/first/index.html", of: "site", in: browser)
    }
  }
}
