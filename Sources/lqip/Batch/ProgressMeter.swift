/// Turns the counts of a batch into how fast it is and how long it will take.
///
/// Speeds are means in which what is longer ago weighs less. Files whose records are reused cost
/// next to nothing and often come in long rows; only those that are read make up the speed, and
/// each file that was not yet visited is taken for one to be read.
struct ProgressMeter {
  /// The age in seconds at which an observation weighs about a third.
  private static let memory = 10.0
  /// What would take longer, in seconds, is not foretold.
  private static let horizon = 100.0 * 3600
  /// Before this time a speed means little.
  private static let start = Duration.seconds(1)

  private var lastElapsed = Duration.zero
  private var lastSummary = BatchSummary()
  private var seconds = 0.0
  private var images = 0.0
  private var bytes = 0.0

  /// Takes in the counts at a moment, and says how far the batch is.
  ///
  /// - Parameters:
  ///   - summary: The counts.
  ///   - total: How many files there are in all; nil if it is unknown.
  ///   - elapsed: The time since the batch began.
  /// - Returns: What to tell people.
  mutating func line(
    for summary: BatchSummary, total: Int?, at elapsed: Duration
  ) -> ProgressLine {
    let interval = (elapsed - lastElapsed) / .seconds(1)
    let decay = 1 / (1 + interval / Self.memory)
    seconds = seconds * decay + interval
    images = images * decay + Double(summary.readCount - lastSummary.readCount)
    bytes = bytes * decay + Double(summary.byteCount - lastSummary.byteCount)
    lastElapsed = elapsed
    lastSummary = summary

    // Files may have appeared since they were counted.
    let total = total.flatMap { $0 < summary.visitedCount ? nil : $0 }
    var line = ProgressLine(
      visitedCount: summary.visitedCount, total: total, failedCount: summary.failedCount)
    guard elapsed >= Self.start, images > 0 else { return line }
    line.imagesPerSecond = images / seconds
    line.bytesPerSecond = bytes / seconds
    line.timeLeft = total.flatMap {
      let left = Double($0 - summary.visitedCount) * seconds / images
      return left < Self.horizon ? .seconds(left.rounded(.up)) : nil
    }
    return line
  }
}
