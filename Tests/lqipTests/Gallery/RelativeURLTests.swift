import Foundation
import Testing

@testable import LqipSystem
@testable import lqip

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
