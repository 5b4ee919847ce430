import PlaceholdersTestSupport

package import LqipBatch
internal import LqipFiles
package import LqipRecords
internal import PlaceholderEncoding

extension BatchSummary {
  /// Counts in a record of an earlier run.
  package mutating func countReused(failure: RecordFailure.Code? = nil) {
    let error = failure.map { ",\"error\":{\"code\":\"\($0.rawValue)\"}" } ?? ""
    let bytes = Array(#"{"path":"a.png"\#(error)}"#.utf8)
    guard let key = RecordKey(parsing: bytes, RecordForm(.ndjson)) else {
      preconditionFailure("the record is none")
    }
    count(.reused(RecordEntry(key: key, bytes: bytes)))
  }

  /// Counts files in: each encoded one has the bytes of `TemporaryDirectory.png`.
  package mutating func add(encoded: Int = 0, reused: Int = 0, failed: [RecordFailure.Code] = [])
    throws
  {
    let bytes = TemporaryDirectory.png
    let placeholders = try PlaceholderEncoder().encode(bytes.span)
    let path = FilePath("a.png")
    for _ in 0..<encoded {
      count(PlaceholderRecord(path: path, outcome: .encoded(placeholders, byteCount: bytes.count)))
    }
    for _ in 0..<reused { countReused() }
    for code in failed {
      count(PlaceholderRecord(path: path, outcome: .failed(RecordFailure(code, "so it is"))))
    }
  }
}
