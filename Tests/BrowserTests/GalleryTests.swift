import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders
@testable import LqipRecords
@testable import LqipSystem
@testable import lqip

extension BrowserTests {
  @MainActor
  @Suite struct GalleryTests {
    private let chromium: Chromium
    private let images: TemporaryDirectory

    init() throws {
      chromium = try Chromium()
      images = try TemporaryDirectory()
    }

    /// Writes a gallery into the browser's directory.
    private func writeGallery(of path: String) throws {
      var command = GalleryCommand()
      command.encoding.paths = [FilePath(path)]
      // The `corners` method is fast even without optimization.
      command.encoding.placeholders.lqip = .corners
      command.encoding.limits.timeout = .seconds(600)
      // A worker forked from a thread may grow that thread's malloc arena with mprotect, which the sandbox forbids.
      command.encoding.sandbox = .off
      command.encoding.records.output.path = FilePath(chromium.file("gallery.html"))
      _ = try command.run()
    }

    /// Runs a script in a page that frames the gallery, and returns the contents of its array `results`.
    private func results(of script: String) throws -> [String] {
      try chromium.write(
        "page.html",
        """
        <!doctype html><meta charset="utf-8"><iframe src="gallery.html"></iframe><script>
        const frame = document.querySelector("iframe");
        onload = async () => {
          const page = frame.contentDocument;
          const results = [];
          \(script)
          document.body.textContent = ["", ...results, ""].join("\u{A6}");
        };
        </script>
        """)
      let visit = try chromium.visit("page.html", "--allow-file-access-from-files")
      #expect(visit.messages == [])
      #expect(visit.requests == [])
      return visit.document.split(separator: "\u{A6}").dropFirst().dropLast().map(String.init)
    }

    @Test func `a gallery of all fixtures causes no console messages or requests`() async throws {
      try writeGallery(of: Fixtures.directory.path)
      let visit = try chromium.visit("gallery.html")
      #expect(visit.messages == [])
      #expect(visit.requests == [])
      let cards = visit.document.ranges(of: "<li class=\"card")
      let failures = visit.document.ranges(of: "<li><h3>")
      #expect(failures.count > 10 && cards.count > 100)
      #expect(try #require(cards.last).lowerBound < #require(failures.first).lowerBound)
      #expect(visit.document.contains("\(cards.count) encoded, \(failures.count) failed"))
    }

    @Test func `files with special characters in their names are shown and linked`() async throws {
      let names = [
        "#1.png", "50%25.png", "a b.png", "a&amp;.png", "c:d.png", "e?f=g.png", "j\\k.png",
        "sub'dir/\"quoted\".png", "ü😀.png", "<script>alert(1)<!--.png",
      ]
      for name in names { try images.write(name) }
      try writeGallery(of: images.path)
      let results = try results(
        of: """
          for (const image of page.images) image.loading = "eager";
          await Promise.all([...page.images].map((image) => image.complete
            || new Promise((resolve) => { image.onload = image.onerror = resolve; })));
          for (const item of page.querySelectorAll(".card")) {
            const [preview, image] = item.querySelectorAll("img");
            const isLinked = [...item.querySelectorAll("a")].every((link) => link.href == image.src);
            results.push(item.querySelector("h2").textContent, image.naturalWidth,
              image.naturalHeight, isLinked, preview.naturalWidth, preview.naturalHeight);
          }
          """)
      let expected = names.map { images.file($0) }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .flatMap { [Self.escaped($0), "3", "2", "true", "32", "21"] }
      #expect(results == expected)
    }

    /// Escapes text for the source of an HTML document.
    private static func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    @Test func `images can be sorted, and placeholders and markup can be copied`() async throws {
      try images.write("a.png")
      try images.write("b.jpg", [1, 2, 3])
      try images.write("c.png", try Fixtures.bytes("size-300x200.png"))
      try writeGallery(of: images.path)
      let results = try results(
        of: """
          const names = () => [...page.querySelectorAll(".card h2")].map((heading) =>
            heading.textContent.match(/[^/]*$/)).join(" ");
          const select = page.querySelector("select");
          results.push(names());
          for (const order of ["pixels", "bytes", "path"]) {
            select.value = order;
            const sorted = new Promise((resolve) =>
              frame.contentWindow.addEventListener("hashchange", () => setTimeout(resolve)));
            select.dispatchEvent(new Event("change"));
            await sorted;
            results.push(names() + " " + frame.contentWindow.location.hash);
          }
          frame.contentWindow.navigator.clipboard.writeText = async (text) => results.push(text);
          for (const button of page.querySelectorAll(".card:first-child [aria-label^=Copy]")) {
            button.click();
            await new Promise((resolve) => setTimeout(resolve));
            results.push(button.textContent);
          }
          const drawn = page.querySelector("span.layer");
          results.push(frame.contentWindow.getComputedStyle(drawn).backgroundImage
            .split("radial-gradient").length - 1);
          results.push(page.querySelector(".failures h3").textContent.match(/[^/]*$/));
          """)
      #expect(
        results.map { $0.hasPrefix("&lt;img") ? "markup" : $0 } == [
          "a.png c.png", "c.png a.png #sort=pixels", "c.png a.png #sort=bytes",
          "a.png c.png #sort=path", "#3686d0b4", "Copied", "Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ", "Copied",
          "markup", "Copied", "#3686d0b4", "Copied", "2", "b.jpg",
        ])
    }

    @Test func `only the visible images of a large gallery are laid out`() async throws {
      for index in 0..<1000 { try images.write("\(index / 100)/\(index).png") }
      try writeGallery(of: images.path)
      let page = try FileManager.default.attributesOfItem(atPath: chromium.file("gallery.html"))
      #expect(page[.size] as? Int ?? .max < 4_000_000)
      let results = try results(
        of: """
          const items = [...page.querySelectorAll(".card")];
          const isSkipped = (item) => !item.firstElementChild.checkVisibility({
            contentVisibilityAuto: true });
          results.push(items.length, page.querySelectorAll("*").length,
            items.filter(isSkipped).length, page.documentElement.scrollHeight);
          """)
      let numbers = results.compactMap { Int($0) }
      try #require(numbers.count == 4, "\(results)")
      #expect(numbers[0] == 1000)
      #expect(numbers[1] < 40_000, "elements")
      #expect(numbers[2] > 900, "items that are not laid out")
      #expect(numbers[3] > 50_000, "pixels to scroll")
    }
  }
}
