import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  /// Tests of progress, retries and folders on the server's page.
  @Suite struct PageProgressTests {
    @Test(arguments: Browser.installed)
    func `the progress text counts encoded and failed images`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      // Only the first request is sent. The others wait in `window.held`.
      try page.replaceFetch(
        with: """
          ((real, left) => (...request) =>
            left-- > 0 ? real(...request) : new Promise((resolve) => {
              (window.held ??= []).push(() => resolve(real(...request)));
            }))(fetch, 1)
          """)
      try page.choose("broken/text.jpg", "size-5x3.png", "size-2x1.png")
      try page.waitForProgress("1 of 3, 1 failed")
      try page.session.wait(for: "window.held.length", toBe: "2")
      let hidden = "document.querySelector('.retry').hidden"
      #expect(try page.session.evaluate(hidden) == "true", "while requests are in flight")
      #expect(try page.session.evaluate("document.querySelector('.status').textContent") == "")
      try page.session.wait(
        for:
          "(window.held.splice(0).forEach((go) => go()), document.querySelector('.progress').textContent)",
        toBe: "2 encoded, 1 failed")
      #expect(try page.session.evaluate(hidden) == "true", "the same file would fail again")
      let status = try page.session.evaluate("document.querySelector('.status').textContent")
      #expect(status == "2 encoded, 1 failed")
    }

    @Test(arguments: Browser.installed)
    func `failed images can be retried one by one or all at once`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      try page.replaceFetch(with: "Object.assign(() => Promise.reject(), { real: fetch })")
      try page.choose("size-5x3.png", "size-2x1.png", "size-1x1.png")
      try page.waitForProgress("0 encoded, 3 failed")
      let sentence = try page.session.evaluate("document.querySelector('.failures p').textContent")
      #expect(sentence == "The server could not be reached.")
      try page.replaceFetch(with: "fetch.real")
      _ = try page.session.evaluate("document.querySelector('.failures button').click()")
      try page.waitForProgress("1 encoded, 2 failed")
      _ = try page.session.evaluate("document.querySelector('.retry').click()")
      try page.waitForProgress("3 encoded")
      #expect(try page.session.evaluate("document.querySelector('.retry').hidden") == "true")
      #expect(try page.session.evaluate("document.querySelector('.failures').hidden") == "true")
      #expect(page.session.messages == [])
    }

    /// Failed responses, and whether the same request may succeed later.
    private static let failures = [
      ("Promise.reject()", true), ("new Response('{}', { status: 503 })", true),
      ("new Response('{\"detail\":\"too slow\"}', { status: 504 })", true),
      ("new Response('{}', { status: 413 })", false), ("new Response('', { status: 500 })", false),
      ("new Response('{\"detail\":\"damaged\"}', { status: 422 })", false),
    ]

    @Test(arguments: Browser.installed, failures)
    func `retry is offered only if the same request may succeed`(
      browser: Browser, failure: (response: String, isTransient: Bool)
    ) throws {
      let page = try ServedPage(in: browser)
      try page.replaceFetch(with: "async () => \(failure.response)")
      try page.choose("size-5x3.png")
      try page.waitForProgress("0 encoded, 1 failed")
      let hidden = try page.session.evaluate(
        "[...document.querySelectorAll('.retry, .failures button')].map(({ hidden }) => hidden)")
      #expect(hidden == (failure.isTransient ? "false,false" : "true,true"))
      let sentence = try page.session.evaluate("document.querySelector('.failures p').textContent")
      #expect(try sentence.wholeMatch(of: Regex("[A-Z][^_]+\\.")) != nil, "\(sentence)")
    }

    @Test func `a missing file is reported without a retry button`() throws {
      let directory = TemporaryDirectory()
      try directory.write("a.png")
      let page = try ServedPage(in: .chromium)
      try page.replaceFetch(
        with: "((real) => (...request) => new Promise((go) => { window.go = go; })"
          + ".then(() => real(...request)))(fetch)")
      try page.session.choose([directory.file("a.png")], in: "input[type=file]")
      try page.session.wait(for: "typeof window.go", toBe: "function")
      try FileManager.default.removeItem(atPath: directory.file("a.png"))
      _ = try page.session.evaluate("void window.go()")
      try page.waitForProgress("0 encoded, 1 failed")
      let sentence = try page.session.evaluate("document.querySelector('.failures p').textContent")
      #expect(sentence == "The file could not be read. It may have been moved or changed.")
      #expect(try page.session.evaluate("document.querySelector('.retry').hidden") == "true")
    }

    @Test(arguments: Browser.installed)
    func `clearing an option restores its default value`(browser: Browser) throws {
      let page = try ServedPage(in: browser)
      try page.choose("size-300x200.png")
      try page.waitForProgress("1 encoded")
      let code =
        "document.querySelector('.images [data-name=curl] code').textContent.split('/v1/')[1]"
      for (value, target) in [
        ("1x1", "encode?kinds=lqip&components=1x1'"), ("", "encode?kinds=lqip'"),
      ] {
        _ = try page.session.evaluate(
          """
          (({ components }) => {
            components.value = "\(value)";
            components.dispatchEvent(new Event("change", { bubbles: true }));
          })(document.querySelector(".options").elements)
          """)
        try page.session.wait(for: code, toBe: target)
      }
    }

    @Test func `a dropped folder adds its images and those of its subfolders`() throws {
      let directory = TemporaryDirectory()
      for name in ["in/a.png", "in/deep/er/b.png", "in/notes.txt", "c.png"] {
        try directory.write(name)
      }
      let page = try ServedPage(in: .chromium)
      let session = try #require(page.session as? ChromiumSession)
      try session.drop([directory.file("in"), directory.file("c.png")])
      try page.waitForProgress("3 encoded, 1 skipped (in/notes.txt)")
      let names = try session.evaluate(
        "[...document.querySelectorAll('.images h2')].map((each) => each.textContent).sort()")
      #expect(names == "c.png,in/a.png,in/deep/er/b.png")
    }
  }
}
