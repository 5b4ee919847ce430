import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords

@Suite struct OutputContentTests {
  private static let recordRule = "unsupported extension; use .ndjson, .jsonl, .json or .csv"

  @Test(arguments: [
    (OutputContent.records, "photo.png", recordRule), (.records, "photos.parquet", recordRule),
    (.records, "records.txt", recordRule), (.records, "a.ndjson.gz", recordRule),
    (.records, "page.html", recordRule), (.records, "p.out", recordRule),
    (.lines, "a.json", "unsupported extension; use .txt"),
    (.image, "d.e/a.WebP", "unsupported extension; use .png"),
    (.images, "two.png", "multiple images require an output directory; pass -o DIRECTORY"),
    (.dataURLs, "a.png", "unsupported extension; use .txt"),
    (.page, "a.json", "unsupported extension; use .html or .htm"),
    (.stylesheet, "a.html", "unsupported extension; use .css"),
  ])
  func `an unsupported extension is rejected with a list of supported ones`(
    content: OutputContent, name: String, rule: String
  ) {
    #expect(throws: UsageError.conflict("-o \(name): \(rule)")) {
      try content.check(FilePath(name))
    }
  }

  @Test(arguments: [
    (OutputContent.records, ["a.ndjson", "a.jsonl", "a.JSON", "a.csv"]), (.lines, ["a.txt"]),
    (.dataURLs, ["a.txt"]), (.image, ["a.png", "A.PNG"]), (.images, []),
    (.page, ["a.html", "a.htm"]), (.stylesheet, ["a.css"]),
  ])
  func `a supported extension or none is allowed`(content: OutputContent, names: [String]) {
    for name in names + ["-", "a", "a.png/b", ".png", "d/.json", "a.", "/dev/stdout", ".."] {
      #expect(throws: Never.self, "\(name)") { try content.check(FilePath(name)) }
    }
    #expect(throws: Never.self) { try content.check(nil) }
  }

  @Test func `an output directory for images may have any extension`() throws {
    let directory = TemporaryDirectory()
    let path = FilePath(directory.file("my.css"))
    #expect(throws: UsageError.self) { try OutputContent.images.check(path) }
    try path.makeDirectory()
    #expect(throws: Never.self) { try OutputContent.images.check(path) }
  }
}
