import LqipTestSupport
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of encoding in the browser on the server's page.
  @Suite(
    .enabled(if: BrowserPackage.hasModule, "built without the module; run scripts/check-embedded"))
  struct PageLocalTests {
    private static let box = "document.querySelector('.local input')"

    /// Chooses encoding in the browser, and waits until the encoder is loaded.
    private func chooseLocal(in page: any BrowserSession) throws {
      _ = try page.evaluate("\(Self.box).click()")
      try page.wait(for: "document.querySelector('.settings').hidden", toBe: "true")
    }

    @Test(arguments: Browser.installed)
    func `images are encoded in the browser, without a server`(browser: Browser) throws {
      var server: RunningServer? = try RunningServer()
      let page = try browser.open(try #require(server).url + "/")
      try chooseLocal(in: page)
      server = nil
      #expect(try page.evaluate("fetch('/healthz').then(() => 'reached', () => 'gone')") == "gone")
      try page.choose(
        ["size-300x200.png", "png-rgba-8-bit.png", "broken/text.jpg"].map(Fixtures.path),
        in: "input[type=file]")
      try page.wait(
        for: "document.querySelector('.progress').textContent", toBe: "2 encoded, 1 failed")
      #expect(
        try page.evaluate("document.querySelector('.failures p').textContent")
          == "This browser cannot decode the image.")
      let kinds = ["lqip", "blurhash", "thumbhash", "tiny", "css", "average_color"]
      let texts = try page.evaluate(
        """
        ((card) => \(kinds).map((kind) => card.querySelector(`[data-name=${kind}] code`).textContent).join("|"))(
          [...document.querySelectorAll(".images .card")].find(({ textContent }) => textContent.includes("300x200")))
        """)
      let record = try #require(
        try Program(
          "encode", "--exact", "--kinds=lqip,blurhash,thumbhash,tiny,css",
          Fixtures.path("size-300x200.png")
        ).records.first)
      #expect(texts == kinds.map { "\(record[$0] ?? "")" }.joined(separator: "|"))
      let classes = try page.evaluate(
        "[...document.querySelectorAll('.images .card:not([hidden])')].map(({ className }) => className).join('|')"
      )
      #expect(classes == "card|card transparent")
      let shown = try page.evaluate(
        "[...document.querySelectorAll('.kinds label')].filter((each) => each.checkVisibility()).length"
      )
      #expect(shown == "6")
      for kind in kinds {
        try page.chooseKind(kind)
        let layers = try page.evaluate(
          "[...document.querySelectorAll('.images .layer')].filter((each) => "
            + "each.checkVisibility()).map(({ dataset }) => dataset.kind).join()")
        #expect(layers == "\(kind),\(kind)")
      }
    }

    @Test(arguments: Browser.installed)
    func `the choice encodes all images again, here or on the server`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      let session = page.session
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      try session.chooseKind("preview")
      try chooseLocal(in: session)
      let preview = "document.querySelector('.images [data-name=preview]').hidden"
      try session.wait(for: preview, toBe: "true")
      #expect(try session.evaluate("document.querySelector('[name=kind]:checked').value") == "lqip")
      _ = try session.evaluate("\(Self.box).click()")
      try session.wait(for: preview, toBe: "false")
      #expect(session.messages == [])
    }
  }
}
