import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of the recipes for React, Vue and Next.js.
  @Suite(
    .enabled(if: Frameworks.isInstalled, "the frameworks are not installed; run scripts/test-tools")
  )
  struct FrameworkTests {
    private let site: RecipeSite

    init() throws {
      site = try RecipeSite()
      for name in Frameworks.names { try site.write(name, try Frameworks.script(name)) }
      let scripts = Frameworks.names.map { "<script src=\"\($0)\"></script>" }.joined()
      // Debian's build of Babel expects the globals of Node.js.
      let node =
        "Object.assign(window, { process: { env: {}, argv: [] }, os: {}, tty: { isatty() {} } })"
      try site.write(
        "compile.html",
        "<!doctype html><meta charset=\"utf-8\"><script>\(node)</script>\(scripts)")
    }

    /// Compiles JSX and module syntax for the browser.
    private func compiled(_ name: String, in session: any BrowserSession) throws -> String {
      try compiled(code: site.recipe(name), in: session)
    }

    private func compiled(code: String, in session: any BrowserSession) throws -> String {
      try session.evaluate(
        """
        Babel.transform(\(code.javaScript), {
          presets: ["react"], plugins: ["transform-modules-commonjs"] }).code
        """)
    }

    /// Expects the scripts to insert an image with its placeholder into the page of the strict recipe.
    private func expectPhoto(
      from scripts: [String], in browser: Browser, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let tags = scripts.map { "<script src=\"\($0)\" defer></script>" }.joined()
      let page = try site.recipe("strict.html")
        .replacing(/<script.*?<\/script>/, with: tags)
        .replacing(/<main>(?:.|\n)*<\/main>/, with: "<main></main>")
      try site.write("page.html", page)
      let session = try browser.open(site.url(of: "page.html"))
      try session.wait(for: "document.images[0]?.naturalWidth > 0", toBe: "true")
      let found = try session.evaluate(
        """
        (({ alt, width, height, loading, style }) =>
          [alt, width, height, loading, style.getPropertyValue("--lqip").trim(),
            getComputedStyle(document.images[0]).backgroundImage.split("(")[0]].join("|"))(
          document.images[0])
        """)
      let expected = "A sun|320|240|lazy|#47d37520|radial-gradient"
      #expect(found == expected, "\(browser)", sourceLocation: sourceLocation)
      #expect(session.messages == [], "\(browser)", sourceLocation: sourceLocation)
    }

    /// Opens a page that runs a script after React.
    private func openReactPage(
      with script: String, in browser: Browser
    ) throws -> any BrowserSession {
      let tags = ["react.production.min.js", "react-dom.production.min.js", script]
        .map { "<script src=\"\($0)\"></script>" }.joined()
      try site.write("react.html", "<!doctype html><meta charset=\"utf-8\"><main></main>\(tags)")
      return try browser.open(site.url(of: "react.html"))
    }

    private static let photo = ##"src: "photo.jpg", width: 320, height: 240, lqip: "#47d37520""##

    @Test(arguments: Browser.installed)
    func `the React recipe sets the LQIP property under a strict CSP`(browser: Browser) throws {
      let code = try compiled("photo.jsx", in: browser.open(site.url(of: "compile.html")))
      try site.write(
        "photo.js",
        """
        const exports = {};
        \(code)
        ReactDOM.createRoot(document.querySelector("main")).render(
          React.createElement(exports.Photo, { \(Self.photo), alt: "A sun" }));
        """)
      try expectPhoto(
        from: ["react.production.min.js", "react-dom.production.min.js", "photo.js"], in: browser)
    }

    @Test(arguments: Browser.installed)
    func `the Vue recipe sets the LQIP property under a strict CSP`(browser: Browser) throws {
      let session = try browser.open(site.url(of: "compile.html"))
      let template = try #require(
        try site.recipe("photo.vue").firstMatch(of: /<template>((?:.|\n)*)<\/template>/)?.1)
      let render = try session.evaluate("Vue.compile(\(String(template).javaScript)).render")
      try site.write(
        "photo.js",
        """
        new Vue({ data: { photo: { \(Self.photo) }, alt: "A sun" }, render: \(render) }).$mount("main");
        """)
      try expectPhoto(from: ["vue.min.js", "photo.js"], in: browser)
    }

    /// Runs the recipe without Next.js, with a stub component that records its props.
    @Test(arguments: Browser.installed)
    func `the Next.js recipe passes the preview to the image component`(browser: Browser) throws {
      let project = try RecipeProject(
        "next.sh", of: site, root: "public/", output: "placeholders.json")
      let code = try compiled("hero.jsx", in: browser.open(site.url(of: "compile.html")))
      try site.write(
        "next.js",
        """
        window.given = [];
        const exports = {};
        const require = (name) => ({
          "next/image": (properties) => (given.push(properties), null),
          "./placeholders.json": \(project.data),
        })[name];
        \(code)
        ReactDOM.createRoot(document.querySelector("main")).render(
          React.createElement(exports.Hero));
        """)
      let session = try openReactPage(with: "next.js", in: browser)
      try session.wait(for: "given.length", toBe: "1")
      let found = try session.evaluate(
        """
        (({ blurDataURL, ...others }) => JSON.stringify(others, Object.keys(others).sort()))(given[0])
        """)
      let expected =
        #"{"alt":"","height":520,"placeholder":"blur","src":"/images/hero.jpg","width":560}"#
      #expect(found == expected, "\(browser)")
      // The browser must be able to decode the preview.
      let preview = "Object.assign(new Image(), { src: given[0].blurDataURL })"
      let isPicture =
        "\(preview).decode().then(() => given[0].blurDataURL.startsWith('data:image/'))"
      #expect(try session.evaluate(isPicture) == "true", "\(browser)")
      #expect(session.messages == [], "\(browser)")
    }
  }
}
