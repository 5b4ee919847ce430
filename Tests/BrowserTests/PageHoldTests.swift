import Testing

extension BrowserTests {
  /// Tests of holding a picture to see its placeholder.
  @Suite struct PageHoldTests {
    private static let stage = ".images .card:first-child .stage"
    private static let other = ".images .card:last-child .stage"

    private func open(in browser: Browser) throws -> any BrowserSession {
      let page = try ServedPage(in: browser)
      try page.choose("size-300x200.png", "size-31x57.png")
      try page.waitForProgress("2 encoded")
      try page.session.wait(for: "document.querySelectorAll('.held').length", toBe: "0")
      for each in [Self.stage, Self.other] { try page.session.waitForOpacity(1, of: each) }
      return page.session
    }

    @Test(arguments: Browser.installed)
    func `a new image fades in over its placeholder`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      _ = try page.session.evaluate(
        """
        void new MutationObserver((changes) => {
          for (const { target } of changes) {
            if (target.matches(".images .stage.held")) window.wasHeld = true;
          }
        }).observe(document.body, { subtree: true, attributeFilter: ["class"] })
        """)
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      try page.session.wait(for: "window.wasHeld", toBe: "true")
      try page.session.wait(for: "document.querySelectorAll('.held').length", toBe: "0")
      try page.session.waitForOpacity(1, of: Self.stage)
    }

    @Test(arguments: Browser.installed, ["mouse", "touch", "pen"])
    func `a picture shows its placeholder while the pointer is held down on it`(
      browser: Browser, pointer: String
    ) throws {
      let page = try open(in: browser)
      try page.point("down", at: Self.stage, with: pointer)
      try page.waitForOpacity(0, of: Self.stage)
      let pressed = "document.querySelector('\(Self.stage)').ariaPressed"
      #expect(try page.evaluate(pressed) == "true")
      try page.waitForOpacity(1, of: Self.other)
      try page.point("up", at: Self.stage, with: pointer)
      try page.waitForOpacity(1, of: Self.stage)
      #expect(try page.evaluate(pressed) == "false")
    }

    @Test(arguments: Browser.installed, [" ", "Enter"])
    func `the focused picture shows its placeholder while Space or Enter is held down`(
      browser: Browser, key: String
    ) throws {
      let page = try open(in: browser)
      try page.press("down", key, at: Self.stage)
      try page.waitForOpacity(0, of: Self.stage)
      try page.press("up", key, at: Self.stage)
      try page.waitForOpacity(1, of: Self.stage)
    }

    @Test(arguments: Browser.installed)
    func `a tap or a screen reader click shows the placeholder briefly`(browser: Browser) throws {
      let page = try open(in: browser)
      let held = "document.querySelector('\(Self.stage)').matches('.held')"
      let taps = [
        """
        for (const type of ["pointerdown", "pointerup"]) stage.dispatchEvent(
          new PointerEvent(type, { bubbles: true, button: 0, pointerType: "touch" }));
        """, "stage.click();",
      ]
      for tap in taps {
        let isHeld = try page.evaluate(
          "((stage) => { \(tap) return stage.matches('.held'); })("
            + "document.querySelector('\(Self.stage)'))")
        #expect(isHeld == "true")
        try page.wait(for: held, toBe: "false")
        try page.waitForOpacity(1, of: Self.stage)
      }
    }

    @Test(arguments: Browser.installed)
    func `scrolling by touch does not show a placeholder`(browser: Browser) throws {
      let page = try open(in: browser)
      let isHeld = try page.evaluate(
        """
        (async (stage) => {
          for (const type of ["pointerdown", "pointercancel"]) stage.dispatchEvent(
            new PointerEvent(type, { bubbles: true, button: 0, pointerType: "touch" }));
          await new Promise((resolve) => setTimeout(resolve, 300));
          return stage.matches(".held");
        })(document.querySelector("\(Self.stage)"))
        """)
      #expect(isHeld == "false")
    }

    @Test(arguments: Browser.installed)
    func `the replay button shows all placeholders`(browser: Browser) throws {
      let page = try open(in: browser)
      try page.point("down", at: ".replay")
      for each in [Self.stage, Self.other] { try page.waitForOpacity(0, of: each) }
      try page.point("up", at: ".replay")
      for each in [Self.stage, Self.other] { try page.waitForOpacity(1, of: each) }
    }

    @Test(arguments: Browser.installed)
    func `images do not fade with reduced motion`(browser: Browser) throws {
      let page = try open(in: browser)
      let duration = """
        getComputedStyle(document.querySelector("\(Self.stage) .original")).transitionDuration
        """
      #expect(try page.evaluate(duration) == "0.7s")
      try page.emulate(.reducedMotion)
      try page.wait(for: duration, toBe: "0s")
      try page.point("down", at: Self.stage)
      try page.waitForOpacity(0, of: Self.stage)
      try page.point("up", at: Self.stage)
      try page.waitForOpacity(1, of: Self.stage)
    }
  }
}
