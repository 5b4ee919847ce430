import Foundation
import Testing

@testable import lqip
@testable import LqipSystem
@testable import LqipRecords
@testable import PlaceholderEncoding

@Suite struct GalleryPageTests {
  private let page = GalleryPage(
    directory: FilePath("site/"), workingDirectory: FilePath("/w"), kinds: [.blurHash, .lqip])

  private func item(_ path: String) -> String {
    let failure = RecordFailure(.corrupt, "<bad> & \"broken\"")
    return page.item(for: PlaceholderRecord(path: FilePath(path), outcome: .failed(failure))).markup
  }

  /// Returns the CSP hash source of an element's content.
  private func digest(of element: String, in markup: String) throws -> String {
    let text = try #require(
      markup.firstMatch(of: try Regex("<\(element)>([^\0]*)</\(element)>"))?[1].substring)
    return "'sha256-\(Base64.encode(SHA256Digest(of: Array(text.utf8)).bytes))'"
  }

  @Test func `the content security policy allows the page's own style and script`() throws {
    let markup =
      page.beginning.markup
      + String(decoding: page.end(BatchSummary(), failures: []), as: UTF8.self)
    let policy = try #require(
      markup.firstMatch(of: /http-equiv="Content-Security-Policy" content="([^"]*)"/)?.1
    ).replacing("&#39;", with: "'")
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(policy.contains("style-src-elem \(try digest(of: "style", in: markup));"))
    #expect(policy.contains("script-src \(try digest(of: "script", in: markup));"))
    #expect(!policy.contains("http"))
  }

  @Test func `file names and messages are escaped`() {
    let markup = item("d/<script>'\"&\u{1B}[31m.png")
    #expect(markup.contains("href=\"../d/%3Cscript%3E%27%22%26%1B%5B31m.png\""))
    #expect(markup.contains("<span>d/</span><b>&lt;script&gt;&#39;&quot;&amp;?[31m.png</b></bdi>"))
    #expect(markup.contains("<p>&lt;bad&gt; &amp; &quot;broken&quot;.</p>"))
  }
}
