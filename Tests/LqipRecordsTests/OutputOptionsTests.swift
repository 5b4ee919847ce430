import LqipSystem
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct OutputOptionsTests {
  private func check(_ name: String?, in extensions: [String] = ["json", "csv"]) throws {
    var output = OutputOptions()
    output.path = name.map { FilePath($0) }
    try output.checkExtension(in: extensions)
  }

  @Test(arguments: ["photo.png", "a.json.gz", "d.json/a.WebP", "p.out"])
  func `an unsupported extension is rejected with a list of supported ones`(name: String) {
    let message = "-o \(name): unsupported extension; use .json or .csv"
    #expect(throws: UsageError.conflict(message)) { try check(name) }
  }

  @Test(arguments: [
    nil, "a.json", "a.JSON", "d.e/a.csv", "-", "a", "a.png/b", ".png", "d/.json", "a.",
    "/dev/stdout", "..",
  ])
  func `a supported extension or none is allowed`(name: String?) {
    #expect(throws: Never.self) { try check(name) }
  }

  @Test func `an output directory for images may have any extension`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("my.css")
    #expect(throws: UsageError.self) { try check(path, in: []) }
    try FilePath(path).makeDirectory()
    #expect(throws: Never.self) { try check(path, in: []) }
  }
}
