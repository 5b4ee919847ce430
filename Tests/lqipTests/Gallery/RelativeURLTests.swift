import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import lqip

@Suite struct RelativeURLTests {
  private func url(to file: String, from directory: String) -> String {
    RelativeURL(
      to: FilePath(file), from: FilePath(directory), workingDirectory: FilePath("/home/u")
    ).text
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
}
