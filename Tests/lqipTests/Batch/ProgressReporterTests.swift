import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct ProgressReporterTests {
  @Test(
    arguments: [
      (false, "xterm", false, .milliseconds(100), true),
      (false, "xterm", true, .seconds(5), true), (false, "dumb", false, .seconds(5), true),
      (false, nil, false, .seconds(5), false), (true, "xterm", false, nil, false),
    ] as [(Bool, String?, Bool, Duration?, Bool)])
  func `the terminal and --quiet determine the interval and whether the summary is printed`(
    isQuiet: Bool, type: String?, sharesTerminal: Bool, interval: Duration?, isCounted: Bool
  ) {
    let reporter = ProgressReporter(
      isQuiet: isQuiet, on: type.map { Terminal(type: $0, noColor: nil) },
      sharesTerminal: sharesTerminal)
    #expect(reporter.interval == interval)
    #expect(reporter.result.isWanted == isCounted)
  }

  @Test func `progress reports are at least one interval apart`() {
    let reporter = ProgressReporter(isQuiet: false, on: nil, sharesTerminal: false)
    let reports = (1...155).filter { reporter.isDue(at: .seconds($0) / 10) }
    #expect(reports == [50, 100, 150])
    let quiet = ProgressReporter(isQuiet: true, on: nil, sharesTerminal: false)
    #expect(!quiet.isDue(at: .seconds(60)))
  }

  @Test func `the summary is printed after a failure or a log line, and never with --quiet`() {
    let failing = ProgressReporter(isQuiet: false, on: nil, sharesTerminal: false)
    failing.summary.add(failed: [.corrupt])
    #expect(failing.result.isWanted)
    let long = ProgressReporter(isQuiet: false, on: nil, sharesTerminal: false)
    long.summary.add(encoded: 1)
    #expect(!long.result.isWanted)
    #expect(long.isDue(at: .seconds(6)))
    #expect(long.result.isWanted)
    let quiet = ProgressReporter(isQuiet: true, on: nil, sharesTerminal: false)
    quiet.summary.add(failed: [.corrupt])
    #expect(!quiet.result.isWanted)
  }
}

@Suite struct ProgressLineTests {
  private var summary: BatchSummary {
    var summary = BatchSummary()
    summary.add(encoded: 12_342, failed: [.corrupt, .corrupt, .truncated])
    return summary
  }

  @Test(arguments: [
    (87, "[############        ]  12345 images  3 failed  61%  0:48 left  165 images/s"),
    (62, "[############        ]  12345 images  3 failed  61%  0:48 lef"), (10, "[########"),
    (1, ""), (0, ""),
  ])
  func `the line is truncated on a narrow terminal`(width: Int, expected: String) {
    #expect(summary.progress(at: 0.61, after: .seconds(75), width: width) == expected)
  }

  @Test(arguments: [
    (0, "[                    ]  0 images  0%"), (0.049, "[                    ]  0 images  4%"),
    (0.05, "[#                   ]  0 images  5%"),
    (0.999, "[################### ]  0 images  99%"),
    (1, "[####################]  0 images  100%"), (nil, "0 images"),
  ])
  func `the progress bar is full only at the end, and absent if the fraction is unknown`(
    fraction: Double?, expected: String
  ) {
    #expect(BatchSummary().progress(at: fraction, after: .seconds(5), width: 80) == expected)
  }

  @Test(
    arguments: [
      (0.61, 75, "22345 images, 3 failed, 61%, 0:48 left, 165 images/s"),
      (0.5, 0.9, "22345 images, 3 failed, 50%"), (nil, 75, "22345 images, 3 failed, 165 images/s"),
      (0, 7200, "22345 images, 3 failed, 0%, 1.7 images/s"),
      (1e-3, 7200, "22345 images, 3 failed, 0%, 1.7 images/s"),
      (1e-300, 7200, "22345 images, 3 failed, 0%, 1.7 images/s"),
    ] as [(Double?, Double, String)])
  func `the rate omits reused records, and estimates are shown only if they are reliable`(
    fraction: Double?, seconds: Double, expected: String
  ) {
    var summary = summary
    summary.add(reused: 10_000)
    #expect(summary.progress(at: fraction, after: .seconds(seconds), width: nil) == expected)
  }

  @Test(arguments: [
    (0, "0.0"), (1, "0.1"), (99, "9.9"), (100, "10"), (104, "10"), (105, "11"), (16_666, "1667"),
  ])
  func `a rate below 10 has one decimal place`(count: Int, expected: String) {
    #expect(NumberText.rate(count, in: .seconds(10)) == expected)
  }

  @Test(arguments: [
    (0, "0:00", "0.0 s"), (5, "0:05", "5.0 s"), (12.34, "0:12", "12.3 s"),
    (59.94, "0:59", "59.9 s"), (59.96, "0:59", "1:00"), (754, "12:34", "12:34"),
    (3599, "59:59", "59:59"), (3_661, "1:01:01", "1:01:01"), (360_000, "100:00:00", "100:00:00"),
  ])
  func `a clock shows hours if needed, and an elapsed time below a minute has one decimal`(
    seconds: Double, clock: String, elapsed: String
  ) {
    #expect(NumberText.clock(.seconds(seconds)) == clock)
    #expect(NumberText.elapsed(.seconds(seconds)) == elapsed)
  }
}
