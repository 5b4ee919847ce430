import Foundation
import PlaceholdersTestSupport
import Testing

@testable import lqip

extension BrowserTests {
  @Suite struct GalleryTests {
    private let scratch = TemporaryDirectory()
    private let images = TemporaryDirectory()

    /// Opens a gallery, which must cause no console messages or requests.
    private func openGallery(of path: String) throws -> ChromiumSession {
      try GalleryCommand.write(scratch.file("gallery.html"), of: [path])
      let page = try Browser.chromium.open("file://\(scratch.file("gallery.html"))")
      let session = try #require(page as? ChromiumSession)
      #expect(session.messages == [])
      #expect(session.requests.filter { !$0.hasPrefix("file:") && !$0.hasPrefix("data:") } == [])
      return session
    }

    /// Runs a script and returns the contents of its array `results`.
    private func results(of script: String, in page: ChromiumSession) throws -> [String] {
      try page.evaluate(
        "(async () => { const results = []; \(script) return results.join('\u{A6}'); })()"
      ).components(separatedBy: "\u{A6}")
    }

    @Test func `a gallery of all fixtures causes no console messages or requests`() throws {
      let page = try openGallery(of: Fixtures.directory.path)
      let results = try results(
        of: """
          const cards = [...document.querySelectorAll("li.card")];
          const failures = [...document.querySelectorAll("li > h3")];
          results.push(cards.length, failures.length,
            cards.at(-1).compareDocumentPosition(failures[0]) & Node.DOCUMENT_POSITION_FOLLOWING,
            document.body.textContent.includes(
              `${cards.length} encoded, ${failures.length} failed`));
          """, in: page)
      let counts = results.prefix(2).compactMap { Int($0) }
      try #require(counts.count == 2)
      #expect(counts[0] > 100 && counts[1] > 10)
      #expect(results.suffix(2) == ["4", "true"])
    }

    @Test func `files with special characters in their names are shown and linked`() throws {
      let names = [
        "#1.png", "50%25.png", "a b.png", "a&amp;.png", "c:d.png", "e?f=g.png", "j\\k.png",
        "sub'dir/\"quoted\".png", "ü😀.png", "<script>alert(1)<!--.png",
      ]
      for name in names { try images.write(name) }
      let page = try openGallery(of: images.path)
      let results = try results(
        of: """
          for (const image of document.images) image.loading = "eager";
          await Promise.all([...document.images].map((image) => image.complete
            || new Promise((resolve) => { image.onload = image.onerror = resolve; })));
          for (const item of document.querySelectorAll(".card")) {
            const [image, preview] = item.querySelectorAll("img");
            const isLinked = [...item.querySelectorAll("a")].every((link) => link.href == image.src);
            results.push(item.querySelector("h2").textContent, image.naturalWidth,
              image.naturalHeight, isLinked, preview.naturalWidth, preview.naturalHeight);
          }
          """, in: page)
      let expected = names.map { images.file($0) }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .flatMap { [$0, "3", "2", "true", "32", "21"] }
      #expect(results == expected)
    }

    @Test func `placeholders and markup can be copied`() throws {
      try images.write("a.png")
      try images.write("b.jpg", [1, 2, 3])
      let page = try openGallery(of: images.path)
      let results = try results(
        of: """
          window.navigator.clipboard.writeText = async (text) => results.push(text);
          for (const button of document.querySelectorAll(".card:first-child [aria-label^=Copy]")) {
            button.click();
            await new Promise((resolve) => setTimeout(resolve));
            results.push(button.textContent);
          }
          const drawn = document.querySelector("span.layer");
          results.push(window.getComputedStyle(drawn).backgroundImage
            .split("radial-gradient").length - 1);
          results.push(document.querySelector(".failures h3").textContent.match(/[^/]*$/));
          """, in: page)
      #expect(
        results.map { $0.hasPrefix("<img") ? "markup" : $0 } == [
          "#3686d0b4", "Copied", "Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ", "Copied", "#336699", "Copied",
          "markup", "Copied", "#3686d0b4", "Copied", "2", "b.jpg",
        ])
    }

    @Test func `only the visible images of a large gallery are laid out`() throws {
      for index in 0..<1000 { try images.write("\(index / 100)/\(index).png") }
      let page = try openGallery(of: images.path)
      let file = try FileManager.default.attributesOfItem(atPath: scratch.file("gallery.html"))
      #expect(file[.size] as? Int ?? .max < 4_000_000)
      try page.resize(width: 390, height: 844)
      let results = try results(
        of: """
          const items = [...document.querySelectorAll(".card")];
          const isSkipped = (item) => !item.firstElementChild.checkVisibility({
            contentVisibilityAuto: true });
          results.push(items.length, document.querySelectorAll("*").length,
            items.filter(isSkipped).length, document.documentElement.scrollHeight);
          """, in: page)
      let numbers = results.compactMap { Int($0) }
      try #require(numbers.count == 4, "\(results)")
      #expect(numbers[0] == 1000)
      #expect(numbers[1] < 43_000, "elements")
      #expect(numbers[2] > 900, "items that are not laid out")
      #expect(numbers[3] > 50_000, "pixels to scroll")
    }
  }
}
