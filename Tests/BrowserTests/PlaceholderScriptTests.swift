import Foundation
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of placeholders.js, the script of a page.
  @Suite struct PlaceholderScriptTests {
    private let site: RecipeSite
    private static let blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    init() throws {
      site = try RecipeSite()
    }

    private func open(_ content: String, in browser: Browser) throws -> any BrowserSession {
      try site.write(
        "script.html",
        """
        <!doctype html><html lang="en"><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; frame-src 'self'">
        <title>Script</title><link rel="stylesheet" href="lqip.css">
        <link rel="stylesheet" href="lqip-css.css"><script src="placeholders.js"></script>
        \(content)
        """)
      return try browser.open(site.url(of: "script.html"))
    }

    /// An image that never loads, because the page scrolls to it only in print.
    private static func waiting(_ attributes: String) -> String {
      "<img loading=lazy src=\"photo.jpg?\(attributes.hashValue)\" width=32 height=24 alt=\"\" \(attributes)>"
    }

    @Test(arguments: Browser.installed)
    func `an invalid value draws nothing, and does not affect the others`(browser: Browser) throws {
      let values = [
        "data-blurhash=LEHV6nWB2yk8pyo0adR", "data-blurhash=\(Self.blurHash)",
        "data-thumbhash=1QcSHQRn", "data-thumbhash=1QcSHQRnh493V4dIh4eXh1h4kJUI",
        "data-tiny=%", "data-tiny=6lprFXNm9w9XDN6cQXfp+Q9X", "data-lqip=red",
        "data-lqip=#47d37520", "data-lqip-css=1.5", "data-lqip-css=192900",
        "data-lqip-css=524288", "data-lqip-css=-524288", "data-tiny=null", "data-tiny=+ppp",
        "data-preview=photo.jpg", "data-preview=data:image/gif;base64,R0lGODlhAQABAAAAACw=",
      ]
      let space = String(repeating: "<br>", count: 2000)
      let session = try open(space + values.map(Self.waiting).joined(), in: browser)
      let drawn = try session.evaluate(
        "[...document.images].map(({ style }) => style.length > 0 ? 1 : 0).join('')")
      #expect(drawn == "0101010101010101", "\(browser)")
      let painted = try session.evaluate(
        """
        [...document.images].map((image) => getComputedStyle(image).backgroundImage == 'none' ? 0 : 1)
          .filter((_, index) => index % 2).join('')
        """)
      #expect(painted == "11111111", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `images get their placeholders while the page is still parsed`(browser: Browser) throws {
      try site.write("blank.html", "<!doctype html>")
      let session = try open("<iframe src=\"blank.html\"></iframe>", in: browser)
      let first = Self.waiting("data-blurhash=\(Self.blurHash)")
      let second = Self.waiting("data-lqip=#47d37520")
      let found = try session.evaluate(
        """
        (async () => {
          const { contentDocument: page, contentWindow: view } = document.querySelector("iframe");
          page.open();
          page.write('<!doctype html><script src="placeholders.js"></' + 'script>' + "<br>".repeat(2000) + '\(first)');
          const drawn = () => [...page.images].map(({ style }) => style.length > 0);
          while (!page.images.length || !drawn()[0]) await new Promise((resolve) => setTimeout(resolve, 10));
          const state = page.readyState;
          page.write('<main>\(second)</main>');
          await null;
          const all = drawn();
          page.close();
          return [state, ...all].join();
        })()
        """)
      #expect(found == "loading,true,true", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `an inserted image has its placeholder before the next frame unless it is cached`(
      browser: Browser
    ) throws {
      let session = try open(String(repeating: "<br>", count: 2000), in: browser)
      let found = try session.evaluate(
        """
        (async () => {
          const cached = new Image();
          cached.src = "photo.jpg";
          await cached.decode();
          const draws = async (src, holder) => {
            const image = new Image(320, 240);
            image.loading = "lazy";
            image.src = src;
            (holder ?? image).dataset.blurhash = "\(Self.blurHash)";
            if (holder) holder.append(image);
            document.body.append(holder ?? image);
            await null;
            return (holder ?? image).style.length > 0;
          };
          const changed = document.images[0] ?? document.body.appendChild(new Image());
          changed.dataset.lqip = "#47d37520";
          await null;
          return [await draws("photo.jpg?new"), await draws("photo.jpg?box", document.createElement("div")),
            await draws(cached.src), changed.style.length > 0].join();
        })()
        """)
      #expect(found == "true,true,false,true", "\(browser)")
    }

    /// Functions of the following tests, whose image is lazy, and not in a cache.
    private static let functions = """
      const image = document.images[0];
      const until = async (isTrue) => { while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10)); };
      const load = (image, src) => {
        image.loading = "eager";
        if (src) image.src = src;
        return until(() => image.complete && image.matches("[data-loaded],[data-failed]"));
      };
      const fail = (image) => new Promise((resolve) => Object.assign(image, { onerror: resolve, src: "missing.jpg" }));
      const styles = ({ style }) => [style.backgroundImage.slice(0, 4), style.color, style.getPropertyValue("--lqip")];
      """

    private func evaluate(_ steps: String, in browser: Browser) throws -> String {
      let space = String(repeating: "<br>", count: 2000)
      let session = try open(space + Self.waiting("id=\(UUID())"), in: browser)
      return try session.evaluate("(async () => { \(Self.functions) \(steps) })()")
    }

    @Test(arguments: Browser.installed)
    func `styles of the page are restored`(browser: Browser) throws {
      let found = try evaluate(
        """
        const box = document.body.appendChild(document.createElement("div"));
        box.append(image);
        box.style.setProperty("--lqip", "#11111111");
        image.style.cssText = "background: rgb(1, 2, 3); color: red !important";
        image.dataset.blurhash = "\(Self.blurHash)";
        box.dataset.lqip = "#47d37520";
        await null;
        const before = [image, box].flatMap(styles);
        await load(image);
        return [...before, image.style.cssText, styles(box)].join("|");
        """, in: browser)
      let styles = "background: rgb(1, 2, 3); color: red !important;"
      #expect(found == "url(|transparent||||#47d37520|\(styles)|,,#11111111", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `a value that the page has set meanwhile stays`(browser: Browser) throws {
      let found = try evaluate(
        """
        image.style.background = "rgb(1, 2, 3)";
        image.dataset.blurhash = "\(Self.blurHash)";
        await null;
        image.style.color = "red";
        image.style.background = "rgb(4, 5, 6)";
        await load(image);
        return image.style.cssText;
        """, in: browser)
      #expect(
        found.contains("rgb(4, 5, 6)") && found.contains("color: red"), "\(browser): \(found)")
    }

    @Test(arguments: Browser.installed)
    func `copies of an image that is loading lose its placeholder`(browser: Browser) throws {
      let found = try evaluate(
        """
        image.dataset.blurhash = "\(Self.blurHash)";
        await null;
        const [markup, early, late, failed] = [image.outerHTML, ...[1, 2, 3].map(() => image.cloneNode())];
        document.body.append(early);
        await load(early);
        late.loading = "eager";
        await late.decode();
        failed.loading = "eager";
        await fail(failed);
        document.body.append(late, failed);
        document.body.insertAdjacentHTML("beforeend", markup);
        await load(document.body.lastElementChild);
        return [early, late, failed, document.body.lastElementChild].map(styles).join("|");
        """, in: browser)
      #expect(found == ",,|,,|url(,,|,,", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `an image without its attribute has neither placeholder nor hidden text`(
      browser: Browser
    ) throws {
      let found = try evaluate(
        """
        const box = document.body.appendChild(document.createElement("div"));
        for (const holder of [image, box]) {
          holder.append(...holder == box ? [image] : []);
          holder.dataset.blurhash = "\(Self.blurHash)";
          await null;
          holder.removeAttribute("data-blurhash");
          await null;
        }
        const before = [image, box].map(styles);
        await load(image, "missing.jpg");
        return [...before, styles(image), image.matches("[data-failed]")].join("|");
        """, in: browser)
      #expect(found == ",,|,,|,,|true", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `a failure before is seen, and ends with the next photo`(browser: Browser) throws {
      let found = try evaluate(
        """
        const failed = new Image(32, 24);
        await fail(failed);
        const states = [];
        const state = () => states.push([...styles(failed), failed.matches("[data-failed]")]);
        failed.dataset.lqip = "#47d37520";
        document.body.append(failed);
        await null;
        state();
        failed.src = "photo.jpg?next";
        failed.dataset.lqip = "#36b3f5a1";
        await null;
        state();
        await until(() => failed.matches("[data-loaded]"));
        state();
        return states.join("|");
        """, in: browser)
      #expect(
        found == ",,#47d37520,true|,transparent,#36b3f5a1,false|,,,false", "\(browser)")
    }

    @Test(arguments: Browser.installed)
    func `box and image lose their placeholders, also during animations that never end`(
      browser: Browser
    ) throws {
      let found = try evaluate(
        """
        const box = document.body.appendChild(document.createElement("div"));
        box.append(image);
        box.dataset.lqip = "#47d37520";
        image.dataset.blurhash = "\(Self.blurHash)";
        image.animate({ translate: ["0", "1px"] }, { duration: 1000, iterations: Infinity });
        image.animate({ opacity: [1, .9] }, 1000).pause();
        await null;
        const before = [image, box].map(styles);
        await load(image);
        return [...before, ...[image, box].map(styles), box.matches("[data-loaded]")].join("|");
        """, in: browser)
      #expect(found == "url(,transparent,|,,#47d37520|,,|,,|true", "\(browser)")
    }

    /// The text of the stylesheet and of the function are drawn equally, up to roundings of each layer.
    @Test(arguments: Browser.installed)
    func `CSS text is drawn like the stylesheet`(browser: Browser) throws {
      try site.write(
        "text.js",
        """
        import { toCSS } from "./lqip.js";
        import { toCSS as integerToCSS } from "./css.js";
        const boxes = document.querySelectorAll("div");
        boxes[1].style.background = toCSS("#47d37520");
        boxes[3].style.background = toCSS("#47d37520 #36b3f5a1");
        boxes[5].style.background = integerToCSS(192900);
        """)
      try site.write(
        "boxes.css", "body { margin: 0; } div { width: 600px; height: 100px; }")
      let box = "<div></div>"
      let session = try open(
        """
        <link rel="stylesheet" href="boxes.css"><script type=module src="text.js"></script>
        <div data-lqip="#47d37520"></div>\(box)<div data-lqip="#47d37520" data-lqip2="#36b3f5a1"></div>\(box)
        <div data-lqip-css="192900"></div>\(box)
        """, in: browser)
      try session.wait(for: "document.querySelectorAll('div')[5].style.length > 0", toBe: "true")
      let picture = try session.screenshot(width: 600, height: 600)
      for first in [0, 2, 4] {
        let size = 600 * 100 * 4
        let (one, other) = (
          picture.pixels[first * size..<(first + 1) * size],
          picture.pixels[(first + 1) * size..<(first + 2) * size]
        )
        let difference = zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(difference <= 6, "\(browser), box \(first)")
        #expect(Set(one).count > 20, "\(browser), box \(first)")
      }
    }
  }
}
