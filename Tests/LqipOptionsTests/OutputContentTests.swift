import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipOptions

@Suite struct OutputContentTests {
  @Test(arguments: [
    (
      OutputContent.records, "photo.png",
      "unsupported extension; use .ndjson, .jsonl, .json or .csv"
    ),
    (.records, "photos.parquet", "unsupported extension; use .ndjson, .jsonl, .json or .csv"),
    (.records, "records.txt", "unsupported extension; use .ndjson, .jsonl, .json or .csv"),
    (
      .records, "a.ndjson.gz",
      "output is not compressed; use .ndjson, .jsonl, .json or .csv, or pipe it through a compressor"
    ),
    (.formattedRecords, "a.png", "unsupported extension; use .ndjson, .jsonl, .json, .csv or .txt"),
    (.lines, "a.json", "unsupported extension; use .txt"),
    (.records, "page.html", "unsupported extension; use .ndjson, .jsonl, .json or .csv"),
    (.summary, "d.e/counts.csv", "unsupported extension; use .json"),
    (.image, "a.WebP", "unsupported extension; use .png"),
    (.images, "two.png", "several images require a directory; pass -o DIRECTORY"),
    (.dataURLs, "a.png", "unsupported extension; use .txt"),
    (.page, "a.json", "unsupported extension; use .html or .htm"),
    (.stylesheet, "a.html", "unsupported extension; use .css"),
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
      "-", "a", "a.out", "a.json.tmp", "a.png/b", ".png", "d/.json", "a.", "/dev/stdout", "..",
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
    (.formattedRecords, ["a.txt"]), (.lines, ["a.txt"]), (.dataURLs, ["a.txt"]),
    (.image, ["a.png", "A.PNG"]), (.page, ["a.html", "a.htm"]), (.stylesheet, ["a.css"]),
  ])
  func `the right name is allowed`(content: OutputContent, names: [String]) {
    for name in names {
      #expect(throws: Never.self, "\(name)") { try content.check(FilePath(name)) }
    }
  }
}
