import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

extension BrowserTests {
  @Suite struct PageTests {
    private let server: RunningServer
    private let page: ChromiumSession

    init() throws {
      server = try RunningServer()
      page = try #require(try Browser.chromium.open(server.url + "/") as? ChromiumSession)
    }

    private static let images = Fixtures.directory.path

    /// Chooses images by their names among the fixtures, and waits until none is under way.
    private func choose(_ names: String...) throws {
      try page.choose(names.map { "\(Self.images)/\($0)" }, in: "input[type=file]")
      try page.wait(
        for:
          "document.querySelectorAll('li:not(.waiting) h2').length", toBe: "\(names.count)")
    }

    /// The text of the first element that is shown.
    private func text(_ selector: String) throws -> String {
      try page.evaluate("document.querySelector('\(selector)').textContent")
    }

    /// Expects that the page was silent and asked nobody but its server.
    private func expectPeace(sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(page.messages == [], sourceLocation: sourceLocation)
      #expect(page.requests.contains { $0.contains("/v1/") }, sourceLocation: sourceLocation)
      for request in page.requests {
        let isOwn = ["\(server.url)/", "blob:\(server.url)/", "data:,"].contains(
          where: request.hasPrefix)
        #expect(isOwn, "\(request)", sourceLocation: sourceLocation)
      }
    }

    /// If the tests were blind, they would pass.
    @Test func `a session notices complaints and requests`() throws {
      try page.visit(
        "data:text/html,<img src='http://images.example/a.png'>"
          + "<script>console.error('complaint')</script>")
      #expect(page.messages.contains { $0.contains("complaint") })
      #expect(page.requests.contains("http://images.example/a.png"))
    }

    @Test func `a chosen image is shown beside its placeholders, with their strings`() throws {
      try choose("size-640x480.png")
      #expect(try text("h2 bdi") == "size-640x480.png")
      #expect(try text(".facts").hasPrefix("640 × 480, PNG, 74 kB, "))
      #expect(try text("[data-name=blurhash] code") == "LtDTq=t3kCV[yGs.j@WWIWoff5bH")
      #expect(try text("[data-name=lqip] code") == "#47d37520")
      #expect(try text("[data-name=average_color] code") == "#748998")
      #expect(
        try text("[data-name=curl] code")
          == "curl -H 'Content-Type: image/png' --data-binary '@size-640x480.png' "
          + "'\(server.url)/v1/encode'")
      for (name, size) in [".original": "640,480", "[data-kind=blurhash] img": "32,24"] {
        let image = "document.querySelector('\(name)')"
        #expect(
          try page.evaluate(
            "\(image).decode().then(() => [\(image).naturalWidth, \(image).naturalHeight])") == size
        )
      }
      let gradients = try page.evaluate(
        "getComputedStyle(document.querySelector('[data-kind=lqip] .picture')).backgroundImage"
          + ".split('radial-').length")
      #expect(gradients == "3")
      expectPeace()
    }

    @Test func `a file that is no image has the server's word on it, and the others are fine`()
      throws
    {
      try choose("broken/text.jpg", "size-5x3.png", "broken/jpeg-cut-baseline.jpg")
      #expect(try text(".problem b") == "unsupported_format")
      #expect(try text(".problem span") == "not a JPEG, PNG, WebP or GIF image")
      #expect(try text("li:last-child .problem b") == "truncated")
      #expect(
        try page.evaluate("document.querySelectorAll('.problem:not([hidden])').length") == "2")
      #expect(
        try page.evaluate("document.querySelectorAll('.result:not([hidden])').length") == "1")
      expectPeace()
    }

    @Test func `options change what is there, and copying says what it did`() throws {
      try choose("size-300x200.png")
      _ = try page.evaluate(
        """
        (() => {
          const { elements } = document.querySelector(".options");
          elements.components.value = "1x1";
          elements.lqip.value = "six";
          elements.lqip.dispatchEvent(new Event("change", { bubbles: true }));
        })()
        """)
      try page.wait(for: "document.querySelectorAll('.again').length", toBe: "0")
      #expect(try text("[data-name=blurhash] code").count == 6)
      #expect(try text("[data-name=lqip2] code").hasPrefix("#"))
      #expect(try text("[data-name=curl] code").hasSuffix("/v1/encode?components=1x1&lqip=six'"))
      _ = try page.evaluate("document.querySelector('[data-name=blurhash] button').click()")
      try page.wait(
        for:
          "document.querySelector('[data-name=blurhash] button').textContent == 'Copy'",
        toBe: "false")
      #expect(try text(".status").hasPrefix("BlurHash: "))
      expectPeace()
    }
  }
}
