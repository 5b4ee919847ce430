import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// What the page of the server says of many images, and what can be done with those that failed.
  @Suite struct PageProgressTests {
    @Test(arguments: Browser.installed)
    func `it says how many there are and how many are done, and how many failed`(
      browser: Browser
    ) throws {
      let page = try ServedPage(in: browser)
      // Three requests are let through, for one image that fails and for one that has a preview too.
      try page.answerRequests(
        by: """
          ((real, left) => (...request) =>
            left-- > 0 ? real(...request) : new Promise((resolve) => {
              (window.held ??= []).push(() => resolve(real(...request)));
            }))(fetch, 1)
          """)
      try page.choose("broken/text.jpg", "size-5x3.png", "size-2x1.png")
      try page.waitForProgress("1 of 3, 1 failed")
      try page.session.wait(for: "window.held.length", toBe: "2")
      let hidden = "document.querySelector('.retry').hidden"
      #expect(try page.session.evaluate(hidden) == "true", "while some are under way")
      #expect(try page.session.evaluate("document.querySelector('.status').textContent") == "")
      try page.session.wait(
        for:
          "(window.held.splice(0).forEach((go) => go()), document.querySelector('.progress').textContent)",
        toBe: "2 encoded, 1 failed")
      #expect(try page.session.evaluate(hidden) == "false")
      let status = try page.session.evaluate("document.querySelector('.status').textContent")
      #expect(status == "2 encoded, 1 failed")
    }

    @Test(arguments: Browser.installed)
    func `what failed may be tried again, one or all`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      try page.answerRequests(by: "Object.assign(() => Promise.reject(), { real: fetch })")
      try page.choose("size-5x3.png", "size-2x1.png", "size-1x1.png")
      try page.waitForProgress("0 encoded, 3 failed")
      try page.answerRequests(by: "fetch.real")
      _ = try page.session.evaluate("document.querySelector('.problem button').click()")
      try page.waitForProgress("1 encoded, 2 failed")
      _ = try page.session.evaluate("document.querySelector('.retry').click()")
      try page.waitForProgress("3 encoded")
      #expect(try page.session.evaluate("document.querySelector('.retry').hidden") == "true")
      #expect(page.session.messages == [])
    }

    @Test(arguments: Browser.installed)
    func `an emptied field is the default, and the markup to copy is that of the image`(
      browser: Browser
    ) throws {
      let page = try ServedPage(in: browser)
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      let code = "document.querySelector('[data-name=curl] code').textContent.split('/v1/')[1]"
      for (value, target) in [("1x1", "encode?components=1x1'"), ("", "encode'")] {
        _ = try page.session.evaluate(
          """
          (({ components }) => {
            components.value = "\(value)";
            components.dispatchEvent(new Event("change", { bubbles: true }));
          })(document.querySelector(".options").elements)
          """)
        try page.session.wait(for: code, toBe: target)
      }
      let markup = try page.session.evaluate(
        "document.querySelector('[data-name=html] code').textContent")
      let value = try page.session.evaluate(
        "document.querySelector('[data-kind=lqip] .picture').style.getPropertyValue('--lqip')")
      #expect(
        markup
          == "<img src=\"size-300x200.png\" width=\"300\" height=\"200\" alt=\"\" loading=\"lazy\" "
          + "style=\"--lqip:\(value)\">")
    }

    @Test func `a folder that is dropped gives its images, and those in its folders`() throws {
      let directory = try TemporaryDirectory()
      for name in ["in/a.png", "in/deep/er/b.png", "in/notes.txt", "c.png"] {
        try directory.write(name)
      }
      let page = try ServedPage(in: .chromium)
      let session = try #require(page.session as? ChromiumSession)
      try session.drop([directory.file("in"), directory.file("c.png")])
      try page.waitForProgress("3 encoded")
      let names = try session.evaluate(
        "[...document.querySelectorAll('h2 bdi')].map((each) => each.textContent).sort()")
      #expect(names == "c.png,in/a.png,in/deep/er/b.png")
    }
  }
}
