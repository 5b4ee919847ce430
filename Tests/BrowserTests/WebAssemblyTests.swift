import Foundation
import PlaceholdersTestSupport
import Testing

extension BrowserTests {
  @Suite struct WebAssemblyTests {
    private static let imageCount: UInt32 = 200

    /// The WebAssembly module built by `scripts/check-embedded`.
    private static let module = Fixtures.repository
      .appendingPathComponent(".build/embedded/placeholders.wasm")

    @Test func `the core and its WebAssembly module return the same placeholders`() throws {
      let module = try Data(contentsOf: Self.module).base64EncodedString()
      let page = try Browser.chromium.open("about:blank")
      let lines = try page.evaluate(
        """
        (() => {
          const bytes = Uint8Array.from(atob("\(module)"), (character) => character.charCodeAt(0));
          const module = new WebAssembly.Module(bytes);
          return Array.from({ length: \(Self.imageCount) }, (_, seed) => {
            const { placeholders, memory } = new WebAssembly.Instance(module).exports;
            // The call may grow the memory, which replaces its buffer.
            const address = placeholders(seed);
            const text = new Uint8Array(memory.buffer, address);
            return new TextDecoder().decode(text.subarray(0, text.indexOf(0)));
          }).join("\\n");
        })()
        """
      ).split(separator: "\n").map(String.init)
      let expected = (0..<Self.imageCount).map { GeneratedImage.placeholders(seed: $0) }
      #expect(lines.count == expected.count)
      #expect(zip(lines, expected).filter { $0 != $1 }.isEmpty)
      #expect(Set(expected).count == expected.count)
    }
  }
}
