import Foundation
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem
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

@Suite struct RelativeURLTests {
  private func url(to file: String, from directory: String) -> String {
    FilePath(file).url(from: FilePath(directory), workingDirectory: FilePath("/home/u"))
  }

  @Test(arguments: [
    ("a.png", "", "a.png"), ("d/a.png", "", "d/a.png"), ("d/a.png", "d/", "a.png"),
    ("d/a.png", "site/", "../d/a.png"), ("/a.png", "", "../../a.png"), ("/a.png", "/", "a.png"),
    ("/home/u/a.png", "x/y/", "../../a.png"), ("../a.png", "", "../a.png"),
    ("./d/../a.png", "./", "a.png"), ("/../a.png", "//x//", "../a.png"),
    ("d/d/a.png", "d/e/d/", "../../d/a.png"), ("site", "site/", "../site"),
  ])
  func `a URL is relative to the page`(file: String, directory: String, expected: String) {
    #expect(url(to: file, from: directory) == expected)
  }

  @Test func `Foundation resolves a relative URL to the original file`() throws {
    let names = ["a b", "%41", "#1", "e?f", "c:d.png", "~", "ü😀", "\"<&>'", "a\\b", "-._~", "\n"]
    for name in names {
      for directory in ["/", "/home/u/", "/x/y/z/"] {
        let base = URL(fileURLWithPath: directory, isDirectory: true)
        let text = url(to: "d/\(name)", from: directory)
        let resolved = try #require(URL(string: text, relativeTo: base))
        #expect(resolved.standardizedFileURL.path == "/home/u/d/\(name)")
      }
    }
  }

  @Test func `a URL path percent-encodes all bytes except unreserved ones`() throws {
    #expect(FilePath("a b/é~_-.%").urlPath == "a%20b/%C3%A9~_-.%25")
    let text = String(String.UnicodeScalarView((1...0x7FF).compactMap { Unicode.Scalar($0) }))
    #expect(FilePath(text).urlPath.removingPercentEncoding == text)
    #expect(FilePath([0xFF, 0x01]).urlPath == "%FF%01")
  }
}
