@testable import lqip
@testable import LqipSystem
@testable import LqipRecords

extension BatchSummary {
  /// Counts files of 73 bytes each.
  mutating func add(encoded: Int = 0, reused: Int = 0, failed: [RecordFailure.Code] = []) {
    let outcomes: [BatchEvent.Outcome] =
      Array(repeating: .encoded(byteCount: 73), count: encoded)
      + (reused > 0 ? [.reused(count: reused, failures: [])] : [])
      + failed.map { .failed(RecordFailure($0, "damaged")) }
    for outcome in outcomes { _ = count(BatchEvent(FilePath("a.png"), outcome)) }
  }
}
