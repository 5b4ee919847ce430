import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipBatch
@testable import LqipFiles

@MainActor
@Suite struct ProgressReporterTests {
  /// What a reporter sees and does.
  @MainActor
  private final class Surroundings {
    var time = Duration.zero
    var shown: [ProgressLine?] = []
  }

  private let surroundings = Surroundings()

  private func reporter(_ style: ProgressStyle, sums: ProgressReporter.Sums = .ifWorthIt)
    -> ProgressReporter
  {
    let surroundings = surroundings
    return ProgressReporter(
      style, sums: sums, now: { surroundings.time },
      show: { surroundings.shown.append($0) })
  }

  @Test func `a line is drawn ten times a second at most`() throws {
    let reporter = reporter(.line(inColor: false))
    for milliseconds in 1...1000 {
      surroundings.time = .milliseconds(milliseconds)
      reporter.summary.countReused()
    }
    #expect(surroundings.shown.map { $0?.visitedCount } == Array(1...10).map { $0 * 100 })
  }

  @Test func `a log has a line every five seconds`() throws {
    let reporter = reporter(.log(every: .seconds(5)))
    for seconds in 1...12 {
      surroundings.time = .seconds(seconds)
      reporter.summary.countReused()
    }
    #expect(surroundings.shown.map { $0?.visitedCount } == [5, 10])
  }

  @Test func `silence has nothing`() throws {
    let reporter = reporter(.silent, sums: .never)
    surroundings.time = .seconds(100)
    try reporter.summary.add(failed: [.corrupt])
    #expect(surroundings.shown.isEmpty)
    #expect(!reporter.result.isWanted)
  }

  @Test func `the end takes the line away`() throws {
    let reporter = reporter(.line(inColor: false))
    surroundings.time = .seconds(1)
    reporter.summary.countReused()
    reporter.stop()
    #expect(surroundings.shown == [ProgressLine(visitedCount: 1), nil])
  }

  @Test func `counts are wanted after a failure, after a line of the log, or always`() throws {
    let short = reporter(.log(every: .seconds(5)))
    try short.summary.add(encoded: 1)
    #expect(!short.result.isWanted)
    try short.summary.add(failed: [.corrupt])
    #expect(short.result.isWanted)
    #expect(reporter(.silent, sums: .always).result.isWanted)
    let long = reporter(.log(every: .seconds(5)))
    surroundings.time = .seconds(6)
    try long.summary.add(encoded: 1)
    #expect(long.result.isWanted)
    #expect(long.result.elapsed == .seconds(6))
  }

  @Test(.timeLimit(.minutes(1)))
  func `files are counted ahead`() throws {
    let directory = try TemporaryDirectory()
    for name in ["a.png", "b/c.jpg", "b/d.txt"] { try directory.write("d/\(name)", [1]) }
    _ = try directory.makeDirectory("e")
    let reporter = reporter(.line(inColor: false))
    reporter.count(
      ImageWalker(["d", "e", "missing.png"].map { FilePath(directory.file($0)) }))
    while surroundings.shown.last??.total == nil {
      surroundings.time += .seconds(1)
      reporter.summary.count(.noImages(FilePath("e")))
    }
    reporter.stop()
    #expect(surroundings.shown.dropLast().last == ProgressLine(visitedCount: 0, total: 3))
  }
}
