import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordWriterTests {
  private func output(_ entries: [String], _ layout: RecordLayout) -> String {
    var writer = RecordWriter(layout, pathsMayRepeat: false)
    let bytes = entries.flatMap { writer.bytes(entry: Array($0.utf8)) }
    return String(decoding: writer.opening + bytes + writer.closing, as: UTF8.self)
  }

  @Test(arguments: [
    (RecordFormat.ndjson, [], ""), (.ndjson, ["x", "y"], "x\ny\n"),
    (.json, [], "{\n}\n"), (.json, ["x"], "{\nx\n}\n"), (.json, ["x", "y"], "{\nx,\ny\n}\n"),
    (.csv, [], "path,path_base64,error.code,error.message\r\n"),
    (.csv, ["x", "y"], "path,path_base64,error.code,error.message\r\nx\r\ny\r\n"),
  ])
  func `entries are put together`(format: RecordFormat, entries: [String], expected: String) {
    #expect(output(entries, RecordLayout(format, fields: ["path"])) == expected)
  }

  @Test(arguments: RecordFormat.allCases)
  func `a path comes once where it is a key`(format: RecordFormat) {
    var writer = RecordWriter(RecordLayout(format), pathsMayRepeat: true)
    let admitted = ["a", "b", "a", "c", "b"].filter { writer.admits(FilePath($0)) }
    #expect(admitted == (format == .json ? ["a", "b", "c"] : ["a", "b", "a", "c", "b"]))
  }
}
