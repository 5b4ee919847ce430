import Foundation
import TestSupport
import Testing

@testable import lqip

@Suite struct GalleryPageTests {
  private let page = GalleryPage(directory: FilePath("site/"), workingDirectory: FilePath("/w"))

  private func item(_ path: String) -> String {
    let failure = RecordFailure(.corrupt, "<bad> & \"broken\"")
    return page.item(for: PlaceholderRecord(path: FilePath(path), outcome: .failed(failure))).markup
  }

  /// What `sha256sum` of coreutils says of a text, in base 64.
  private func digest(of text: String) throws -> String {
    let directory = try TemporaryDirectory()
    let path = try directory.write("text", Array(text.utf8))
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sha256sum", path]
    process.standardOutput = output
    try process.run()
    let data = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    let digits = Array(String(decoding: data.prefix(64), as: UTF8.self))
    return Base64.encode(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      })
  }

  @Test func `the policy lets through the page's own script and no other`() throws {
    let script = try #require(
      page.end(BatchSummary()).markup.firstMatch(of: /<script>([^\0]*)<\/script>/)?.1)
    let policy = try #require(
      page.beginning.markup
        .firstMatch(of: /http-equiv="Content-Security-Policy" content="([^"]*)"/)?.1
    ).replacing("&#39;", with: "'")
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(policy.contains("script-src 'sha256-\(try digest(of: String(script)))';"))
    #expect(!policy.contains("http"))
  }

  @Test func `names and messages stay text`() {
    let markup = item("d/<script>'\"&\u{1B}[31m.png")
    #expect(markup.contains("href=\"../d/%3Cscript%3E%27%22%26%1B%5B31m.png\""))
    #expect(markup.contains("<span>d/</span>&lt;script&gt;&#39;&quot;&amp;?[31m.png</bdi>"))
    #expect(markup.contains("<b>corrupt</b> &lt;bad&gt; &amp; &quot;broken&quot;</p>"))
  }
}
