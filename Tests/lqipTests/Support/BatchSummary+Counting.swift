@testable import lqip
@testable import LqipSystem
@testable import LqipRecords

extension BatchSummary {
  mutating func add(encoded: Int = 0, reused: Int = 0, failed: [RecordFailure.Code] = []) {
    let outcomes: [BatchEvent.Outcome] =
      Array(repeating: .encoded, count: encoded)
      + (reused > 0 ? [.reused(count: reused, failures: [])] : [])
      + failed.map { .failed(RecordFailure($0, "damaged")) }
    for outcome in outcomes { _ = count(BatchEvent(FilePath("a.png"), outcome)) }
  }
}
