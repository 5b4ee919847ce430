import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipBatch

@Suite struct BatchSummaryTests {
  private var summary = BatchSummary()

  @Test mutating func `files are counted by what became of them`() throws {
    try summary.add(encoded: 2, reused: 3, failed: [.truncated, .corrupt, .corrupt])
    summary.countReused(failure: .tooLarge)
    summary.count(.noImages(FilePath("d")))
    #expect(summary.encodedCount == 2)
    #expect(summary.reusedCount == 3)
    #expect(summary.failedCount == 4)
    #expect(summary.visitedCount == 9)
    #expect(summary.readCount == 5)
    #expect(summary.byteCount == 2 * TemporaryDirectory.png.count)
    #expect(
      "\(summary)"
        == "2 encoded, 3 reused, 4 failed (2 corrupt, 1 truncated, 1 too_large)")
  }

  @Test mutating func `the end tells the time and the speed`() throws {
    try summary.add(encoded: 246)
    summary.elapsed = .seconds(12.3)
    #expect(summary.text == "246 encoded, 0 failed in 12.3 s, 20 images/s")
  }

  @Test mutating func `there is no speed without an image`() throws {
    try summary.add(reused: 5, failed: [.unreadable])
    #expect(
      summary.text == "0 encoded, 5 reused, 1 failed (1 unreadable) in 0.0 s\n  failed: a.png")
  }

  @Test mutating func `only a batch in which all went well succeeds`() throws {
    try summary.add(encoded: 1, reused: 1)
    #expect(summary.report() == .success)
    var failed = summary
    failed.countReused(failure: .corrupt)
    #expect(failed.report() == .failure)
    summary.count(.noImages(FilePath("d")))
    #expect(summary.report() == .input)
    summary.allowsEmpty = true
    #expect(summary.report() == .success)
    summary.isOutputIncomplete = true
    #expect(summary.report() == .output)
    summary.isOutputClosed = true
    #expect(summary.report() == .outputClosed)
    summary.signal = 2
    #expect(summary.report() == .interrupted)
  }

  @Test mutating func `the object has the counts and examples by name`() throws {
    for name in ["a", "b", "c", "d"] { summary.count(.skipped(FilePath(name), .link)) }
    summary.count(.failed(FilePath("e"), RecordFailure(.corrupt, "so it is")) { _ in [] })
    summary.dropped.add(FilePath("f"))
    let text = String(decoding: summary.json.bytes, as: UTF8.self)
    #expect(text.contains(#""skipped":{"link":{"count":4,"examples":["a","b","c"]}}"#))
    #expect(text.contains(#""failed":{"count":1,"examples":["e"]},"failures":{"corrupt":1}"#))
    #expect(text.contains(#""dropped":{"count":1,"examples":["f"]}"#))
  }
}
