import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipOptions

@Suite struct OutputContentTests {
  @Test(arguments: [
    (OutputContent.records, "photo.png", "records are written as .ndjson, .json or .csv"),
    (.records, "page.html", "records are written as .ndjson, .json or .csv"),
    (.summary, "d.e/counts.csv", "the counts are written as .json"),
    (.image, "a.WebP", "an image is written as .png"),
    (.images, "two.png", "several images are written into a directory, as 1.png and so on"),
    (.dataURLs, "a.png", "data URLs are written as text"),
    (.page, "a.json", "the page is written as .html"),
    (.stylesheet, "a.html", "a stylesheet is written as .css"),
  ])
  func `a name that promises something else is refused`(
    content: OutputContent, name: String, rule: String
  ) {
    #expect(throws: UsageError.conflict("-o \(name): \(rule)")) {
      try content.check(FilePath(name))
    }
    #expect(throws: UsageError.conflict("--summary \(name): \(rule)")) {
      try content.check(FilePath(name), option: "--summary")
    }
  }

  @Test(arguments: OutputContent.allCases)
  func `a name that promises nothing is allowed`(content: OutputContent) {
    for name in [
      "-", "a", "a.txt", "a.json.txt", "a.png/b", ".png", "d/.json", "a.", "/dev/stdout", "..",
    ] {
      #expect(throws: Never.self, "\(name)") { try content.check(FilePath(name)) }
    }
    #expect(throws: Never.self) { try content.check(nil) }
  }

  @Test func `a directory for images may have any name`() throws {
    let directory = try TemporaryDirectory()
    let path = FilePath(directory.file("my.css"))
    #expect(throws: UsageError.self) { try OutputContent.images.check(path) }
    try path.makeDirectory()
    #expect(throws: Never.self) { try OutputContent.images.check(path) }
    #expect(throws: UsageError.self) { try OutputContent.records.check(path) }
  }

  @Test(arguments: [
    (OutputContent.records, ["a.ndjson", "a.jsonl", "a.JSON", "a.csv"]), (.summary, ["a.json"]),
    (.image, ["a.png", "A.PNG"]), (.page, ["a.html", "a.htm"]), (.stylesheet, ["a.css"]),
  ])
  func `the right name is allowed`(content: OutputContent, names: [String]) {
    for name in names {
      #expect(throws: Never.self, "\(name)") { try content.check(FilePath(name)) }
    }
  }
}
