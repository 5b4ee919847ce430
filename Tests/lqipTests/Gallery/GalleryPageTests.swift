import TestSupport
import Testing

@testable import lqip

@Suite struct GalleryPageTests {
  private let page = GalleryPage(directory: FilePath("site/"), workingDirectory: FilePath("/w"))

  private func item(_ path: String) -> String {
    let failure = RecordFailure(.corrupt, "<bad> & \"broken\"")
    return page.item(for: PlaceholderRecord(path: FilePath(path), outcome: .failed(failure))).markup
  }

  /// The policy's digest of what stands between two tags.
  private func digest(of element: String, in markup: String) throws -> String {
    let content = try #require(
      markup.firstMatch(of: try Regex("<\(element)>([^\0]*)</\(element)>"))?[1].substring)
    return "'sha256-\(Base64.encode(SHA256.digest(of: Array(content.utf8))))'"
  }

  @Test func `the policy lets through the page's own style and script`() throws {
    let markup = page.beginning.markup + page.end(BatchSummary()).markup
    let policy = try #require(
      markup.firstMatch(of: /http-equiv="Content-Security-Policy" content="([^"]*)"/)?.1
    ).replacing("&#39;", with: "'")
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(policy.contains("style-src-elem \(try digest(of: "style", in: markup));"))
    #expect(policy.contains("script-src \(try digest(of: "script", in: markup));"))
    #expect(!policy.contains("http"))
  }

  @Test func `names and messages stay text`() {
    let markup = item("d/<script>'\"&\u{1B}[31m.png")
    #expect(markup.contains("href=\"../d/%3Cscript%3E%27%22%26%1B%5B31m.png\""))
    #expect(markup.contains("<span>d/</span>&lt;script&gt;&#39;&quot;&amp;?[31m.png</bdi>"))
    #expect(markup.contains("<b>corrupt</b> &lt;bad&gt; &amp; &quot;broken&quot;</p>"))
  }
}
