import Testing

@testable import lqip
@testable import LqipSystem
@testable import LqipRecords

@MainActor
@Suite struct ProgressReporterTests {
  @MainActor
  private final class Screen {
    var time = Duration.zero
    var shown: [ProgressLine?] = []
  }

  private let screen = Screen()

  private func reporter(
    _ style: ProgressReporter.Style, alwaysCounts: Bool = false
  ) -> ProgressReporter {
    let screen = screen
    return ProgressReporter(
      style, alwaysCounts: alwaysCounts, now: { screen.time }, show: { screen.shown.append($0) })
  }

  private func receive(_ outcome: BatchEvent.Outcome, at time: Duration, by: ProgressReporter) {
    screen.time = time
    by.receive(BatchEvent(FilePath("a"), outcome))
  }

  @Test(arguments: [
    (ProgressReporter.Style.line, 100, [100, 200, 300]),
    (.log, 5000, [5000, 10_000, 15_000]), (.silent, 5000, []),
  ])
  func `progress reports are at least one interval apart`(
    style: ProgressReporter.Style, interval: Int, expected: [Int]
  ) {
    let reporter = reporter(style)
    for count in 1...(interval * 31 / 10) {
      receive(.reused(count: 1, failures: []), at: .milliseconds(count), by: reporter)
    }
    #expect(screen.shown.map { $0?.visitedCount } == expected)
    reporter.stop()
    #expect(screen.shown.last == .some(nil))
  }

  @Test(
    arguments: [
      (false, "xterm", false, .milliseconds(100), true),
      (false, "xterm", true, .seconds(5), true), (false, "dumb", false, .seconds(5), true),
      (false, nil, false, .seconds(5), false), (true, "xterm", false, nil, false),
    ] as [(Bool, String?, Bool, Duration?, Bool)])
  func `the terminal and --quiet determine the progress style`(
    isQuiet: Bool, type: String?, sharesTerminal: Bool, interval: Duration?, isCounted: Bool
  ) {
    let reporter = ProgressReporter(
      isQuiet: isQuiet, on: type.map { Terminal(type: $0, noColor: nil) },
      sharesTerminal: sharesTerminal)
    #expect(reporter.reports?.every == interval)
    #expect(reporter.result.isWanted == isCounted)
  }

  @Test func `the summary is printed after a failure or a log line, and never with --quiet`() {
    let short = reporter(.log)
    receive(.encoded(byteCount: 1), at: .seconds(1), by: short)
    #expect(!short.result.isWanted)
    receive(.failed(RecordFailure(.corrupt, "no")), at: .seconds(1), by: short)
    #expect(short.result.isWanted)
    let long = reporter(.log)
    receive(.encoded(byteCount: 1), at: .seconds(6), by: long)
    #expect(long.result.isWanted)
    #expect(long.result.elapsed == .seconds(6))
    #expect(reporter(.log, alwaysCounts: true).result.isWanted)
    let silent = reporter(.silent, alwaysCounts: true)
    receive(.failed(RecordFailure(.corrupt, "no")), at: .seconds(6), by: silent)
    #expect(!silent.result.isWanted)
  }
}

@Suite struct ProgressMeterTests {
  private var meter = ProgressMeter()
  private var summary = BatchSummary()

  private mutating func line(_ fraction: Double?, at seconds: Double) -> ProgressLine {
    meter.line(for: summary, fraction: fraction, at: .seconds(seconds))
  }

  @Test mutating func `at a steady speed, the rate and the time left are exact`() throws {
    for second in 1...50 {
      summary.add(encoded: 20)
      let line = line(Double(second) / 100, at: Double(second))
      #expect(line.visitedCount == 20 * second)
      #expect(abs(try #require(line.imagesPerSecond) - 20) < 1e-9)
      #expect(abs(try #require(line.bytesPerSecond) - 20 * 73) < 1e-6)
      let left = try #require(line.timeLeft)
      #expect(abs(left / .seconds(1) - Double(100 - second)) <= 1)
    }
  }

  @Test mutating func `the rate adapts to a new speed within a minute`() throws {
    var line = ProgressLine(visitedCount: 0)
    for second in 1...120 {
      summary.add(encoded: second <= 60 ? 100 : 10)
      line = self.line(nil, at: Double(second))
    }
    #expect((10..<12).contains(try #require(line.imagesPerSecond)))
    #expect(line.timeLeft == nil)
  }

  @Test mutating func `the rate includes failures but not reused records`() throws {
    summary.add(failed: Array(repeating: .corrupt, count: 100))
    _ = line(0.1, at: 1)
    summary.add(reused: 18_000)
    let line = line(0.9, at: 1.1)
    #expect(line.failedCount == 100)
    #expect((85...100).contains(try #require(line.imagesPerSecond)))
  }

  @Test mutating func `no rate is shown in the first second or before the first image`() {
    #expect(line(0, at: 3) == ProgressLine(visitedCount: 0, fraction: 0))
    summary.add(reused: 2)
    #expect(line(0.5, at: 4) == ProgressLine(visitedCount: 2, fraction: 0.5))
    meter = ProgressMeter()
    summary.add(encoded: 2)
    #expect(line(0.5, at: 0.9).imagesPerSecond == nil)
    #expect(line(0.5, at: 1).imagesPerSecond != nil)
  }

  @Test mutating func `no time left is shown after a long stall`() {
    summary.add(encoded: 1)
    #expect(line(0.5, at: 1).timeLeft == .seconds(1))
    var last: ProgressLine?
    for tick in 1...2000 { last = line(0.5, at: 1 + Double(tick) / 10) }
    #expect(last?.imagesPerSecond != nil)
    #expect(last?.timeLeft == nil)
  }
}
