import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordFormatTests {
  @Test(arguments: [
    ("a.ndjson", RecordFormat.ndjson), ("a.jsonl", .ndjson), ("d.csv/a.json", .json),
    ("a.JSON", .json), ("a.json.csv", .csv), (".csv", .csv), ("a.txt", nil), ("csv", nil),
    ("d.csv/a", nil), ("a.", nil), ("", nil),
  ])
  func `an extension stands for a format`(path: String, format: RecordFormat?) {
    #expect(RecordFormat(extensionOf: FilePath(path)) == format)
  }
}
