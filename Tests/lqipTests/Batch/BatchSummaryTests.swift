import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct BatchSummaryTests {
  private var summary = BatchSummary()

  @discardableResult
  private mutating func count(_ path: String, _ outcome: BatchEvent.Outcome) -> String? {
    summary.count(BatchEvent(FilePath(path), outcome))
  }

  @Test mutating func `the summary counts every outcome`() {
    summary.add(encoded: 2, failed: [.truncated, .corrupt])
    count("b", .reused(count: 4, failures: [(FilePath("b"), .tooLarge)]))
    count("c", .kept(RecordFailure(.timeout, "slow")))
    count("d", .unlisted(RecordFailure(.unreadable, "no")))
    count("e", .unvisited(count: 5))
    count("f", .dropped(count: 6, isOtherShard: false))
    count("f", .dropped(count: 2, isOtherShard: true))
    count("g", .skipped(.link))
    #expect(
      "\(summary)" == """
        2 encoded, 3 reused, 5 failed (1 corrupt, 1 truncated, 1 too_large, 1 timeout, \
        1 unreadable), 5 kept (not found), 6 dropped (not found), 2 dropped (other shards), \
        1 skipped (1 link)
        """)
    #expect((summary.encodedCount, summary.failedCount, summary.visitedCount) == (2, 5, 9))
    #expect(summary.readCount == 6)
    summary.keepAll()
    summary.signal = 2
    #expect("\(summary)".hasSuffix(", 13 kept (not found), 1 skipped (1 link), partial"))
  }

  @Test mutating func `unreadable directories, kept records and loops are reported immediately`() {
    let failure = RecordFailure(.unreadable, "Input/output error")
    let outcomes: [(BatchEvent.Outcome, String?)] = [
      (.kept(failure), "a: Input/output error; the earlier record was kept"),
      (.unlisted(failure), "a: Input/output error"),
      (.skipped(.loop), "a: skipped: symbolic link to a parent directory"),
      (.skipped(.link), nil), (.failed(failure), nil), (.encoded, nil),
      (.reused(count: 1, failures: []), nil), (.unvisited(count: 1), nil),
      (.dropped(count: 1, isOtherShard: false), nil),
    ]
    for (outcome, message) in outcomes { #expect(count("a", outcome) == message) }
  }

  @Test mutating func `the summary contains duration, rate and the first skipped or failed path`() {
    summary.add(reused: 5, failed: [.unreadable])
    #expect(
      summary.text
        == "0 encoded, 5 reused, 1 failed (1 unreadable) in 0.0 s\n  failed: a.png (damaged)")
    count("b", .reused(count: 1, failures: [(FilePath("b"), .corrupt)]))
    #expect(summary.text.hasSuffix("\n  failed: a.png (damaged), b (corrupt)"))
    summary = BatchSummary()
    summary.add(failed: [.truncated])
    #expect(summary.text == "a.png: damaged")
    summary = BatchSummary()
    summary.add(encoded: 246)
    summary.elapsed = .seconds(12.3)
    for name in ["a", "b", "c", "d", "e"] { count(name, .skipped(.dangling)) }
    #expect(
      summary.text == """
        246 encoded, 0 failed, 5 skipped (5 dangling) in 12.3 s, 20 images/s
          skipped (dangling): a, b, c and 2 more
        """)
  }

  @Test mutating func `skipped files are counted by format, and make the summary appear`() {
    summary.add(encoded: 1)
    count("link", .skipped(.link))
    #expect(!summary.hasOmissions)
    for format in [ForeignFormat.tiff, .jpegXL, .jpegXL] { count("x", .skipped(.format(format))) }
    #expect("\(summary)" == "1 encoded, 0 failed, 4 skipped (2 JPEG XL, 1 TIFF, 1 link)")
    #expect(summary.hasOmissions)
  }

  @Test mutating func `the earlier records are those reused, replaced, kept or dropped`() {
    count("a", .reused(count: 3, failures: []))
    count("b", .unvisited(count: 4))
    count("c", .dropped(count: 5, isOtherShard: true))
    var event = BatchEvent(FilePath("d"), .encoded)
    event.hasEarlier = true
    _ = summary.count(event)
    count("e", .encoded)
    #expect((summary.earlierCount, summary.droppedCount) == (13, 5))
  }

  @Test mutating func `the most severe outcome determines the exit status`() {
    #expect(summary.report() == .input)
    summary.add(encoded: 1, reused: 1)
    #expect(summary.report() == .success)
    count("a", .reused(count: 1, failures: [(FilePath("a"), .corrupt)]))
    #expect(summary.report() == .failure)
    count("d", .unlisted(RecordFailure(.unreadable, "no")))
    #expect(summary.report() == .input)
    summary.isOutputClosed = true
    #expect(summary.report() == .outputClosed)
    summary.signal = 2
    #expect(summary.report() == .interrupted)
  }
}

extension BatchSummary {
  mutating func add(encoded: Int = 0, reused: Int = 0, failed: [RecordFailure.Code] = []) {
    let outcomes: [BatchEvent.Outcome] =
      Array(repeating: .encoded, count: encoded)
      + (reused > 0 ? [.reused(count: reused, failures: [])] : [])
      + failed.map { .failed(RecordFailure($0, "damaged")) }
    for outcome in outcomes { _ = count(BatchEvent(FilePath("a.png"), outcome)) }
  }
}
