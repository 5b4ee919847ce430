import Testing

extension BrowserTests {
  /// Tests of the kinds of placeholders on the server's page.
  @Suite struct PageKindsTests {
    private static let kinds = [
      "lqip", "blurhash", "thumbhash", "tiny", "preview", "svg", "css", "average_color", "palette",
    ]

    /// A script that returns the kinds of the visible layers of all images.
    private static let visibleKinds = """
      [...new Set([...document.querySelectorAll(".images .layer")].filter((layer) =>
        getComputedStyle(layer).display !== "none").map(({ dataset }) => dataset.kind))].join()
      """

    private static func string(_ name: String) -> String {
      "document.querySelector('.images [data-name=\(name)] code').textContent"
    }

    @Test(arguments: Browser.installed)
    func `every placeholder kind is shown as a string and as a picture`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      let session = page.session
      // The response is kept for the comparison below.
      try page.replaceFetch(
        with: """
          ((real) => async (...request) => {
            const response = await real(...request);
            if (request[0].includes("encode")) window.record = await response.clone().json();
            return response;
          })(fetch)
          """)
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      let differing = try session.evaluate(
        """
        (({ record }) => {
          const text = (kind) => document.querySelector(`.images [data-name=${kind}] code`).textContent;
          const colors = [...document.querySelectorAll(".palette li")].map(({ textContent }) =>
            textContent.split(" ")[0]);
          if (colors.join() !== record.palette.map(({ color }) => color).join()) return "palette";
          return \(Self.kinds.dropLast()).filter((kind) => !record[kind] || text(kind) !== `${record[kind]}`);
        })(window)
        """)
      #expect(differing == "")
      _ = try session.evaluate("document.querySelector('.images .larger').click()")
      let images = "[...document.querySelectorAll('.images img.layer, figure img.layer')]"
      try session.wait(
        for: "\(images).filter(({ naturalWidth }) => naturalWidth > 1).length", toBe: "10")
      let drawn = try session.evaluate(
        """
        [...document.querySelectorAll(".images span.layer, figure span.layer")].map((each) =>
          getComputedStyle(each)).map(({ backgroundImage, backgroundColor }) =>
          backgroundImage === "none" ? backgroundColor : backgroundImage.split("(")[0])
          .map((each) => each.split("(")[0])
        """)
      let expected = "radial-gradient,radial-gradient,rgb,linear-gradient"
      #expect(drawn == "\(expected),\(expected)")
      #expect(session.messages == [])
    }

    @Test(arguments: Browser.installed)
    func `one control switches the placeholder kind of all images`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      try page.choose("size-300x200.png", "size-31x57.png")
      try page.waitForProgress("2 encoded")
      for kind in Self.kinds {
        try page.session.chooseKind(kind)
        #expect(try page.session.evaluate(Self.visibleKinds) == kind)
        let summaries = try page.session.evaluate(
          "[...document.querySelectorAll('.images summary')].map((each) => each.innerText).join('|')"
        )
        #expect(summaries.split(separator: "|").count == 2)
        #expect(
          try summaries.wholeMatch(of: Regex("([^,|]+, [0-9]+ characters\\|?){2}")) != nil,
          "\(summaries)")
        let query = kind == "average_color" ? "" : "?kinds=\(kind)"
        #expect(
          try page.session.evaluate("\(Self.string("curl")).split('/v1/')[1]") == "encode\(query)'")
      }
      #expect(page.session.messages == [])
    }

    @Test(arguments: Browser.installed)
    func `the HTML markup omits a placeholder that would show through the image`(
      browser: Browser
    ) throws {
      let page = try ServedPage(in: browser)
      let session = page.session
      let title = "document.querySelector('.images [data-name=html] span').textContent"
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      #expect(try session.evaluate(title) == "HTML")
      for (kind, attribute) in [
        ("lqip", "style=\"--lqip:VALUE\""), ("css", "style=\"--lqip-css:VALUE\""),
        ("blurhash", "data-blurhash=\"VALUE\""), ("average_color", "style=\"background:VALUE\""),
        ("preview", "style=\"background:url(&quot;VALUE&quot;) 0 0/100% 100%\""),
      ] {
        try session.chooseKind(kind)
        let value = try session.evaluate(Self.string(kind)).replacing("&", with: "&amp;")
        #expect(
          try session.evaluate(Self.string("html"))
            == "<img src=\"size-300x200.png\" width=\"300\" height=\"200\" alt=\"\" loading=\"lazy\" "
            + "\(attribute.replacing("VALUE", with: value))>")
      }
      _ = try session.evaluate("document.querySelector('.clear').click()")
      try session.chooseKind("lqip")
      try page.choose("png-rgba-8-bit.png")
      try page.waitForProgress("1 encoded")
      #expect(
        try session.evaluate(Self.string("html"))
          == "<img src=\"png-rgba-8-bit.png\" width=\"45\" height=\"33\" alt=\"\" loading=\"lazy\">"
      )
      #expect(
        try session.evaluate(title)
          == "HTML without a placeholder, which would show through this transparent image")
    }

    @Test(arguments: Browser.installed)
    func `a pressed placeholder shows how its image fades in, and reappears`(
      browser: Browser
    ) throws {
      let page = try ServedPage(in: browser)
      let session = page.session
      try page.choose("png-rgba-8-bit.png")
      try page.waitForProgress("1 encoded")
      let opacity = "getComputedStyle(document.querySelector('.images .over')).opacity"
      let visibility = "getComputedStyle(document.querySelector('.images .layer')).visibility"
      for medium in [Medium.screen, .reducedMotion] {
        try session.emulate(medium)
        try session.wait(for: opacity, toBe: "0")
        #expect(try session.evaluate(visibility) == "visible")
        try session.press(true, at: ".images .stage:last-child")
        try session.wait(for: opacity, toBe: "1")
        // A placeholder shows through a transparent image, so it is hidden at last.
        try session.wait(for: visibility, toBe: "hidden")
        try session.press(false, at: ".images .stage:last-child")
        try session.wait(for: opacity, toBe: "0")
        try session.wait(for: visibility, toBe: "visible")
      }
      #expect(session.messages == [])
    }
  }
}
