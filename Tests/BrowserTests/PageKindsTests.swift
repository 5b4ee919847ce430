import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// What the page of the server shows of each kind of placeholder.
  @Suite struct PageKindsTests {
    private static let shown = """
      [...document.querySelectorAll("figure:not([hidden])")]
        .map((figure) => figure.dataset.kind ?? "image").join(" ")
      """

    @Test(arguments: Browser.installed)
    func `each kind is there to choose, with its string and its preview`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      let session = page.session
      // What the server says is kept for a comparison.
      try page.answerRequests(
        by: """
          ((real) => async (...request) => {
            const response = await real(...request);
            if (request[0].includes("encode")) [window.record] = await response.clone().json();
            return response;
          })(fetch)
          """)
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      #expect(try session.evaluate(Self.shown) == "image blurhash lqip")
      try session.chooseKinds { _ in true }
      #expect(
        try session.evaluate(Self.shown) == "image blurhash lqip thumbhash preview svg css")
      let target = try session.evaluate(
        "document.querySelector('[data-name=curl] code').textContent.split('/v1/')[1]")
      #expect(target == "encode?kinds=blurhash,lqip,thumbhash,preview,svg,css,palette'")
      let differing = try session.evaluate(
        """
        (({ record }) => {
          const text = (kind) => document.querySelector(`[data-name=${kind}] code`).textContent;
          const colors = [...document.querySelectorAll(".palette li")].map(({ textContent }) =>
            textContent.split(" ")[0]);
          if (colors.join() !== record.palette.map(({ color }) => color).join()) return "palette";
          return ["blurhash", "lqip", "thumbhash", "preview", "svg", "css"].filter((kind) =>
            !record[kind] || text(kind) !== `${record[kind]}`);
        })(window)
        """)
      #expect(differing == "")
      let drawn = try session.evaluate(
        """
        (async () => {
          const images = [...document.querySelectorAll("[data-kind] img")];
          await Promise.all(images.map((image) => image.decode()));
          const backgrounds = [...document.querySelectorAll("[data-kind] [role=img]")].map((each) =>
            getComputedStyle(each).backgroundImage.split("(")[0]);
          return [...images.map(({ naturalWidth }) => naturalWidth > 1), ...backgrounds];
        })()
        """)
      #expect(drawn == "true,true,true,true,radial-gradient,radial-gradient")
      #expect(session.messages == [])
    }

    @Test(arguments: Browser.installed)
    func `no kind at all is the default, and resetting brings it back`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      let target = "document.querySelector('[data-name=curl] code').textContent.split('/v1/')[1]"
      try page.session.chooseKinds { $0 == "thumbhash" }
      #expect(try page.session.evaluate(target) == "encode?kinds=thumbhash'")
      #expect(try page.session.evaluate(Self.shown) == "image thumbhash")
      try page.session.chooseKinds { _ in false }
      #expect(try page.session.evaluate(target) == "encode'")
      try page.session.chooseKinds { $0 == "css" }
      #expect(try page.session.evaluate(Self.shown) == "image css")
      _ = try page.session.evaluate("document.querySelector('.options').reset()")
      try page.session.wait(for: target, toBe: "encode'")
      #expect(try page.session.evaluate(Self.shown) == "image blurhash lqip")
      #expect(page.session.messages == [])
    }

    @Test(arguments: Browser.installed)
    func `the markup has a placeholder unless it would stay behind a transparent image`(
      browser: Browser
    ) throws {
      let page = try ServedPage(in: browser)
      let markup = "document.querySelector('[data-name=html] code').textContent"
      let title = "document.querySelector('[data-name=html] span').textContent"
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      #expect(try page.session.evaluate(title) == "HTML")
      try page.session.chooseKinds { $0 == "css" }
      let value = try page.session.evaluate(
        "document.querySelector('[data-name=css] code').textContent")
      #expect(try page.session.evaluate(markup).hasSuffix(" style=\"--lqip-css:\(value)\">"))
      try page.session.chooseKinds { $0 == "blurhash" }
      #expect(try page.session.evaluate(markup).hasSuffix(" loading=\"lazy\">"))
      _ = try page.session.evaluate(
        "(document.querySelector('.clear').click(), document.querySelector('.options').reset())")
      try page.choose("png-rgba-8-bit.png")
      try page.waitForProgress("1 encoded")
      #expect(
        try page.session.evaluate(markup)
          == "<img src=\"png-rgba-8-bit.png\" width=\"45\" height=\"33\" alt=\"\" loading=\"lazy\">"
      )
      #expect(
        try page.session.evaluate(title)
          == "HTML, without a placeholder, which would stay behind the transparent image")
    }
  }
}
