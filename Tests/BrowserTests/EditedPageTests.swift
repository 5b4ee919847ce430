import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Compares pages as browsers parse them, before and after `lqip html`.
  @Suite struct EditedPageTests {
    private static let images = [
      "<img src=a.png>", "<IMG SRC='a.png'\nSTYLE=\"color:red\" />", "<image src=a.png width=10>",
      "<img style=a:b src=a.png>", "<img src=\"a.png\"style='x'alt=\"<img src=a.png>\">",
    ]
    /// Pages with an image at each `@`.
    private static let pages = [
      "@", "<!--@-->@", "<!--@", "<!-->@-->", "<title>@</title>@", "<script>@</script>@",
      "\0@<p\0>@",
      "<script><!--<script>@</script>@--></script>@", "<style>@</style>@",
      "<textarea>@</textarea>@",
      "<noscript>@</noscript>@", "<head><noscript>@</noscript></head>@", "<template>@</template>@",
      "<svg>@</svg>@", "<svg><desc>@</desc><![CDATA[@]]></svg>@", "<svg><style>@</style></svg>@",
      "<math><mtext>@</mtext></math>@", "<table>@<tr>@<td>@</table>", "<p><b><i>@<p>@</b>@",
      "<a>@<a>@",
      "<table><select>@</table>@", "<xmp>@</xmp>@", "<iframe>@</iframe>@", "<plaintext>@", "<!@>@",
      "<frameset>@</frameset>", "<div title=\"@\">@", "<div title='@'>@", "<div title=@>@",
      "</p>@</br>@",
      "<picture><source srcset=\"a.png 9w\">@</picture>", "<button>@<button>@", "<form>@<form>@",
      "<?x @?>@",
      "<html><body>@</body></html>@", "<body><body style=x>@", "<nobr>@<nobr>@", "\u{FEFF}@",
      "<![CDATA[@]]>@",
      "<!doctype html><meta charset=utf-8><link rel=stylesheet href=a.css>@<style></style>@",
      "&lt;@&gt;",
      "<object>@</object><video>@</video>", "<ruby>@<rt>@", "<colgroup>@<caption>@",
      "<dl><dd>@<dt>@", "<<@",
      "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\"><html xmlns=\"x\"><head/><body>@",
    ]

    /// Removes from an edited page what may have been added, and compares it with the original.
    private static let script = """
      pairs.flatMap(([before, after]) => {
        const [page, edited] = [before, after].map((text) => new DOMParser().parseFromString(text, "text/html"));
        edited.querySelectorAll('link[href="lqip-html.css"]').forEach((link) => link.remove());
        edited.querySelectorAll("img").forEach((image, index) => {
          const original = page.querySelectorAll("img")[index];
          for (const name of ["width", "height", "data-lqip-auto", "style"]) {
            if (!original?.hasAttribute(name)) image.removeAttribute(name);
          }
          const style = image.getAttribute("style");
          if (style) image.setAttribute("style", style.replace(/^--lqip:#[0-9a-f]{8};/, ""));
        });
        return page.documentElement.outerHTML == edited.documentElement.outerHTML ? [] : [before, after];
      }).join("\\n")
      """

    @Test(arguments: Browser.installed)
    func `a browser sees the same page but for the added attributes`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      try directory.write("site/a.png")
      let pages = Self.pages.flatMap { page in
        Self.images.map { page.replacing("@", with: $0) }
      }
      for (index, page) in pages.enumerated() {
        try directory.write("site/\(index).html", Array(page.utf8))
      }
      let run = try Program("html", directory.file("site"))
      #expect(run.status == 0, "\(run.errors)")
      let pairs = try pages.indices.map { [pages[$0], try directory.text(of: "site/\($0).html")] }
      #expect(pairs.count { $0[0] != $0[1] } > 150)
      let json = String(decoding: try JSONEncoder().encode(pairs), as: UTF8.self)
      let blank = try directory.write("blank.html", Array("<!doctype html>".utf8))
      let session = try browser.open("file://\(blank)")
      #expect(try session.evaluate("((pairs) => \(Self.script))(\(json))") == "")
    }

    /// Stylesheets that set a height without a width, and an image for each rule.
    private static let styled = """
      <!doctype html><style>.g { HEIGHT: 90px }</style><link rel=stylesheet href=style.css>
      <img class=a src=a.jpg><p class=b><img src=a.jpg><p class=c><img src=a.jpg><p><img src=a.jpg>
      <figure><img class=e src=a.jpg></figure><img class=f src=a.jpg><img class=g src=a.jpg>
      <img style="height:2em" src=a.jpg><img class=a width=50 src=a.jpg><img class=h src=a.jpg>
      """
    private static let sheet = """
      @charset "utf-8"; /* img { width: 1px } } */ img { max-width: 100% } body { height: 100% }
      .a { height: 150px; content: "}" }
      .b > img, h1 { max-height: 6em } .c img { height: 200px; width: 100% }
      @media (min-width: 10px) {
        figure img.e:not(.y, .z) { height: calc(100px + 1em) }
        @supports (display: grid) { .f { block-size: 5rem } }
      }
      @layer x { .h { max-height: 80px } } .h::before { height: 3px
      """

    @Test(arguments: Browser.installed)
    func `loaded images have the size that they had before`(browser: Browser) throws {
      let directory = TemporaryDirectory()
      try directory.write("site/a.jpg", Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
      try directory.write("site/style.css", Array(Self.sheet.utf8))
      try directory.write("site/index.html", Array(Self.styled.utf8))
      func sizes() throws -> String {
        let session = try browser.open("file://\(directory.file("site/index.html"))")
        return try session.evaluate(
          "Array.from(document.images, ({ width, height }) => `${width}x${height}`).join(' ')")
      }
      let before = try sizes()
      #expect(before.split(separator: " ").count == 10)
      for count in [1, 0] {
        let run = try Program("html", directory.file("site"))
        #expect(run.errors.contains("1 page, \(count) changed, 0 failed"))
        #expect(try sizes() == before)
      }
    }
  }
}
