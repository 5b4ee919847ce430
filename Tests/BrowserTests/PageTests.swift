import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  @Suite struct PageTests {
    private let server: RunningServer
    private let page: ChromiumSession

    init() throws {
      server = try RunningServer()
      page = try #require(try Browser.chromium.open(server.url + "/") as? ChromiumSession)
    }

    /// Chooses fixtures by name and waits until all are processed.
    private func choose(_ names: String...) throws {
      try page.choose(names.map(Fixtures.path), in: "input[type=file]")
      let done = ".images > :not(.waiting):not([hidden]), .failures li"
      try page.wait(for: "document.querySelectorAll('\(done)').length", toBe: "\(names.count)")
    }

    /// Returns the text of the first element that matches a selector.
    private func text(_ selector: String) throws -> String {
      try page.evaluate("document.querySelector('\(selector)').textContent")
    }

    private func string(_ name: String) throws -> String {
      try text(".images [data-name=\(name)] code")
    }

    /// Expects no console messages and no requests to other servers.
    private func expectCleanSession(sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(page.messages == [], sourceLocation: sourceLocation)
      #expect(page.requests.contains { $0.contains("/v1/") }, sourceLocation: sourceLocation)
      for request in page.requests {
        let isOwn = ["\(server.url)/", "blob:\(server.url)/", "data:"].contains(
          where: request.hasPrefix)
        #expect(isOwn, "\(request)", sourceLocation: sourceLocation)
      }
    }

    @Test func `an image is shown over its placeholder, with its facts and a command`() throws {
      try choose("size-640x480.png")
      #expect(try text(".images h2") == "size-640x480.png")
      #expect(try text(".images .facts").hasPrefix("640 × 480 PNG 74 kB"))
      #expect(
        try string("curl")
          == "curl -H 'Content-Type: image/png' --data-binary '@size-640x480.png' "
          + "'\(server.url)/v1/encode?kinds=lqip'")
      try page.chooseKind("blurhash")
      try page.wait(
        for: "document.querySelector('.images [data-kind=blurhash]').naturalWidth", toBe: "32")
      for (name, size) in [".original": "640,480", ".layer[data-kind=blurhash]": "32,24"] {
        let image = "document.querySelector('.images \(name)')"
        #expect(
          try page.evaluate(
            "\(image).decode().then(() => [\(image).naturalWidth, \(image).naturalHeight])") == size
        )
      }
      expectCleanSession()
    }

    @Test func `failures are listed after the images, as sentences without codes`() throws {
      try choose("broken/text.jpg", "size-5x3.png", "broken/jpeg-cut-baseline.jpg")
      let sentences = try page.evaluate(
        "[...document.querySelectorAll('.failures p')].map((each) => each.textContent).join('|')"
      ).split(separator: "|").map(String.init)
      #expect(sentences.count == 2)
      for sentence in sentences {
        #expect(try sentence.wholeMatch(of: Regex("[A-Z][^_]+\\.")) != nil, "\(sentence)")
      }
      #expect(sentences.contains { $0.contains("JPEG, PNG, WebP") })
      let isAfter = try page.evaluate(
        "document.querySelector('.images').compareDocumentPosition("
          + "document.querySelector('.failures')) & Node.DOCUMENT_POSITION_FOLLOWING")
      #expect(isAfter == "4")
      #expect(
        try page.evaluate("document.querySelectorAll('.images > :not([hidden])').length") == "1")
      expectCleanSession()
    }

    @Test func `options change the placeholders, and the result of copying is reported`() throws {
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
      #expect(try string("blurhash").count == 6)
      #expect(try string("lqip").count == 19)
      #expect(try string("curl").hasSuffix("/v1/encode?kinds=lqip&components=1x1&lqip=six'"))
      let button = "document.querySelector('.images [data-name=blurhash] button')"
      _ = try page.evaluate("\(button).click()")
      try page.wait(for: "\(button).textContent == 'Copy'", toBe: "false")
      #expect(["Copied", "Selected"].contains(try text(".status")))
      expectCleanSession()
    }

    @Test func `the copy button of a card copies the visible placeholder`() throws {
      try choose("size-300x200.png")
      for kind in ["lqip", "thumbhash"] {
        try page.chooseKind(kind)
        let copied = try page.evaluate(
          """
          new Promise((resolve) => {
            navigator.clipboard.writeText = async (text) => resolve(text);
            document.querySelector(".chosen").textContent = "Copy";
            document.querySelector(".chosen").click();
          })
          """)
        #expect(try copied == string(kind))
      }
    }
  }
}
