import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipBatch

@Suite struct ProgressMeterTests {
  private let bytesPerImage = Double(TemporaryDirectory.png.count)
  private var meter = ProgressMeter()
  private var summary = BatchSummary()

  @Test mutating func `a steady speed is told as it is`() throws {
    for second in 1...50 {
      try summary.add(encoded: 20)
      let line = meter.line(for: summary, total: 2000, at: .seconds(second))
      #expect(line.visitedCount == 20 * second)
      #expect(line.total == 2000)
      let speed = try #require(line.imagesPerSecond)
      #expect(abs(speed - 20) < 1e-9)
      let bytes = try #require(line.bytesPerSecond)
      #expect(abs(bytes - 20 * bytesPerImage) < 1e-6)
      let left = try #require(line.timeLeft)
      #expect(abs(left / .seconds(1) - Double(100 - second)) <= 1)
    }
  }

  @Test mutating func `a new speed takes over within a minute`() throws {
    for second in 1...60 {
      try summary.add(encoded: 100)
      _ = meter.line(for: summary, total: nil, at: .seconds(second))
    }
    var line = ProgressLine(visitedCount: 0)
    for second in 61...120 {
      try summary.add(encoded: 10)
      line = meter.line(for: summary, total: nil, at: .seconds(second))
    }
    let speed = try #require(line.imagesPerSecond)
    #expect((10..<12).contains(speed))
  }

  @Test mutating func `reused records do not count as speed`() throws {
    try summary.add(encoded: 100)
    _ = meter.line(for: summary, total: 20_000, at: .seconds(1))
    try summary.add(reused: 18_000)
    let line = meter.line(for: summary, total: 20_000, at: .seconds(1.1))
    // 1900 files at about 100 a second.
    let left = try #require(line.timeLeft)
    #expect((.seconds(18)...(.seconds(21))).contains(left))
  }

  @Test mutating func `failures take time like any other file`() throws {
    try summary.add(failed: [.corrupt, .truncated])
    let line = meter.line(for: summary, total: 8, at: .seconds(2))
    #expect(line.failedCount == 2)
    #expect(line.imagesPerSecond == 1)
    #expect(line.timeLeft == .seconds(6))
  }

  @Test mutating func `nothing is foretold from nothing`() throws {
    #expect(
      meter.line(for: summary, total: 5, at: .seconds(3))
        == ProgressLine(visitedCount: 0, total: 5))
    try summary.add(reused: 2)
    #expect(
      meter.line(for: summary, total: 5, at: .seconds(4))
        == ProgressLine(visitedCount: 2, total: 5))
  }

  @Test mutating func `after a standstill of days the end is not foretold`() throws {
    try summary.add(encoded: 1)
    var line = meter.line(for: summary, total: 2, at: .seconds(1))
    #expect(line.timeLeft == .seconds(1))
    for tick in 1...1_000_000 {
      line = meter.line(for: summary, total: 2, at: .seconds(1) + .milliseconds(100 * tick))
    }
    #expect(line.timeLeft == nil)
  }

  @Test mutating func `the first second has no speed`() throws {
    try summary.add(encoded: 2)
    #expect(meter.line(for: summary, total: 4, at: .seconds(0.9)).imagesPerSecond == nil)
    #expect(meter.line(for: summary, total: 4, at: .seconds(1)).imagesPerSecond != nil)
  }

  @Test mutating func `a total that is passed is no total`() throws {
    try summary.add(encoded: 3)
    #expect(meter.line(for: summary, total: 3, at: .seconds(1)).timeLeft == .zero)
    let line = meter.line(for: summary, total: 2, at: .seconds(2))
    #expect(line.total == nil)
    #expect(line.timeLeft == nil)
  }
}
