import Testing

extension BrowserTests {
  /// Tests of card shapes, small windows and the empty page.
  @Suite struct PageLayoutTests {
    /// Opens the page with landscape, portrait, extreme, tiny, transparent and animated images.
    private func open(in browser: Browser) throws -> any BrowserSession {
      let page = try ServedPage(in: browser)
      try page.choose(
        "size-640x480.png", "size-31x57.png", "size-128x1.png", "size-1x7.png", "size-1x1.png",
        "png-rgba-8-bit.png", "gif-animated-two-frames.gif")
      try page.waitForProgress("7 encoded")
      return page.session
    }

    @Test(arguments: Browser.installed)
    func `images and placeholders of any shape fill their cards without distortion`(
      browser: Browser
    ) throws {
      let page = try open(in: browser)
      for width in [1280, 800, 390] {
        try page.resize(width: width, height: 800)
        #expect(try page.distortedPictures() == "", "\(width)")
      }
    }

    @Test(arguments: Browser.installed)
    func `the cards of each row have equal heights, and fill the row or are large`(
      browser: Browser
    ) throws {
      let page = try open(in: browser)
      try page.resize(width: 1280, height: 800)
      let rows = try page.evaluate(
        """
        ((list) => {
          const boxes = [...list.querySelectorAll(".stage")].map((each) => each.getBoundingClientRect());
          const tops = [...new Set(boxes.map(({ top }) => Math.round(top)))];
          const { right } = list.getBoundingClientRect();
          return tops.map((top) => boxes.filter((box) => Math.round(box.top) === top)).map((row) => [
            Math.max(...row.map(({ height }) => height)) - Math.min(...row.map(({ height }) => height)) < 2,
            Math.abs(row.at(-1).right - right) < 2 || row[0].height > 250]).slice(0, -1);
        })(document.querySelector(".images"))
        """)
      #expect(!rows.isEmpty && !rows.contains("false"), "\(rows)")
    }

    @Test(arguments: Browser.installed)
    func `at a width of 390 pixels, nothing overflows and no image fact wraps`(browser: Browser)
      throws
    {
      let page = try open(in: browser)
      try page.resize(width: 390, height: 844)
      let bottom = try page.evaluate(
        "document.querySelector('.images .stage').getBoundingClientRect().bottom")
      #expect(try #require(Double(bottom)) < 422, "the first picture is in the upper half")
      _ = try page.evaluate(
        "document.querySelectorAll('details').forEach((each) => { each.open = true; })")
      let overflow =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)("
        + "document.documentElement)"
      #expect(try page.evaluate(overflow) == "0")
      let broken = try page.evaluate(
        "[...document.querySelectorAll('.facts span')].filter((each) => "
          + "new Set([...each.getClientRects()].map(({ top }) => top)).size > 1).map(({ textContent }) => textContent)"
      )
      #expect(broken == "")
      let outside = try page.evaluate(
        """
        [...document.querySelectorAll("main :is(button, code, h2, input, select, summary, .stage)")].filter((each) =>
          !each.closest(".kinds") && each.checkVisibility()).filter((each) => {
            const { left, right } = each.getBoundingClientRect();
            return left < 0 || right > 390;
          }).map(({ outerHTML }) => outerHTML.slice(0, 80)).join()
        """)
      #expect(outside == "")
    }

    @Test(arguments: Browser.installed)
    func `the empty page shows samples, and a button encodes them`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      let session = page.session
      let samples = "[...document.querySelectorAll('.samples img.stage')]"
      try session.wait(
        for: "\(samples).every(({ complete, naturalWidth }) => complete && naturalWidth > 100)",
        toBe: "true")
      #expect(try session.evaluate("\(samples).length") == "5")
      let visible =
        "[...document.querySelectorAll('.samples, .bar, .about, .clear')]"
        + ".filter((each) => each.checkVisibility()).map(({ className }) => className)"
      #expect(try session.evaluate(visible) == "cards samples")
      #expect(try session.distortedPictures() == "")
      let drawn = try session.evaluate(
        "[...document.querySelectorAll('.samples span.stage')].every((each) => "
          + "getComputedStyle(each).backgroundImage.startsWith('radial-gradient'))")
      #expect(drawn == "true")
      try session.press(true, at: ".samples span.stage")
      try session.wait(
        for: "getComputedStyle(document.querySelector('.samples .over')).opacity", toBe: "1")
      try session.press(false, at: ".samples span.stage")
      _ = try session.evaluate("document.querySelector('.try').click()")
      try page.waitForProgress("5 encoded")
      #expect(try session.evaluate(visible) == "clear,bar,about")
      // The page's placeholders of the samples match those computed by the server.
      let differing = try session.evaluate(
        """
        [...document.querySelectorAll(".images .card")].filter((card) => {
          const name = card.querySelector("h2").textContent;
          const sample = document.querySelector(`.samples [src$="${name}"]`);
          const { width, height } = sample;
          return sample.nextElementSibling.dataset.lqip
            !== card.querySelector("[data-name=lqip] code").textContent
            || !card.querySelector(".facts").textContent.startsWith(
              `${sample.getAttribute("width")} × ${sample.getAttribute("height")}`);
        }).map((card) => card.textContent.trim().slice(0, 20))
        """)
      #expect(differing == "")
      _ = try session.evaluate("document.querySelector('.clear').click()")
      #expect(try session.evaluate(visible) == "cards samples")
      #expect(session.messages == [])
    }
  }
}
