import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles

@Suite struct WalkOptionsTests {
  private func options(including: [String] = [], excluding: [String] = []) -> WalkOptions {
    WalkOptions(
      includes: including.map { FilePath($0) }, excludes: excluding.map { FilePath($0) })
  }

  @Test(arguments: [
    ("*.png", "a/b.png", true), ("*.png", "a/b.PNG", false), ("b", "a/b", true),
    ("a", "a/b", false), ("b*", "b/a", false), ("?.png", "a/é.png", false),
    ("[ab].png", "x/b.png", true), ("[!ab].png", "x/b.png", false), ("\\*.png", "x/a.png", false),
    ("*", "a/.hidden", true), ("a/*.png", "a/b.png", true), ("a/*.png", "a/b/c.png", true),
    ("a/*.png", "/a/b.png", false), ("*/a/*.png", "/x/a/b.png", true), ("/x/*", "/x/a/b", true),
    ("a/", "a/b", false),
  ])
  func `a pattern is matched with the name, or with a slash in it with the path`(
    pattern: String, path: String, isMatch: Bool
  ) {
    let path = FilePath(path)
    #expect(options(including: [pattern]).takesFile(path) == isMatch)
    #expect(options(excluding: [pattern]).takesFile(path) == !isMatch)
    #expect(options(excluding: [pattern]).entersDirectory(path) == !isMatch)
    #expect(options(including: [pattern]).entersDirectory(path))
  }

  @Test func `one of several patterns is enough, and an exclusion outweighs them`() {
    let options = options(including: ["*.png", "*.jpg"], excluding: ["b.*", "c.*"])
    let taken = ["a.png", "a.jpg", "a.gif", "b.png", "c.jpg"].filter {
      options.takesFile(FilePath($0))
    }
    #expect(taken == ["a.png", "a.jpg"])
  }

  @Test func `names that are not UTF-8 are matched by their bytes`() {
    let path = FilePath([0xFF, 0x2E, 0x61])
    #expect(options(including: ["?.a"]).takesFile(path))
    let exact = WalkOptions(includes: [FilePath([0xFF, 0x2A])])
    #expect(exact.takesFile(path))
    #expect(!exact.takesFile(FilePath([0xFE, 0x2E, 0x61])))
  }
}
