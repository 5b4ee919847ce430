import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  @Suite struct WebAssemblyTests {
    private static let imageCount: UInt32 = 200

    /// The WebAssembly module built by `scripts/check-embedded`.
    private static let module = Fixtures.directory.deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(".build/embedded/placeholders.wasm")

    @Test func `the core and its WebAssembly module return the same placeholders`() throws {
      let module = try Data(contentsOf: Self.module).base64EncodedString()
      let chromium = try Chromium()
      try chromium.write(
        "page.html",
        """
        <!doctype html><meta charset="utf-8"><body><script>
        const bytes = Uint8Array.from(atob("\(module)"), (character) => character.charCodeAt(0));
        const module = new WebAssembly.Module(bytes);
        const lines = [];
        for (let seed = 0; seed < \(Self.imageCount); seed++) {
          const { placeholders, memory } = new WebAssembly.Instance(module).exports;
          // The call may grow the memory, which replaces its buffer.
          const address = placeholders(seed);
          const text = new Uint8Array(memory.buffer, address);
          lines.push(new TextDecoder().decode(text.subarray(0, text.indexOf(0))));
        }
        // Base64, because BlurHash digits can look like markup. The source of the script must not contain the mark.
        const mark = String.fromCharCode(124);
        document.body.append(mark, btoa(lines.join("\\n")), mark);
        </script>
        """)
      let parts = try chromium.visit("page.html").document.split(separator: "|")
      let part = try #require(parts.dropFirst().first)
      let output = try #require(Data(base64Encoded: String(part)))
      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
      let expected = (0..<Self.imageCount).map { GeneratedImage.placeholders(seed: $0) }
      #expect(lines.count == expected.count)
      #expect(zip(lines, expected).filter { $0 != $1 }.isEmpty)
      #expect(Set(expected).count == expected.count)
    }
  }
}
