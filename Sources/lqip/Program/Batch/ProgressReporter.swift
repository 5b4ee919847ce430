import LqipSystem
import LqipRecords

/// Shows the progress of a batch on standard error.
///
/// On a terminal, one line is redrawn in place. Elsewhere, a log line is printed every few seconds.
final class ProgressReporter {
  /// The form of progress reports.
  enum Style: Hashable, Sendable {
    /// One line that is redrawn in place.
    case line
    /// A new line every few seconds, for a log.
    case log
    case silent
  }

  /// The time after which an image in flight is named in reports.
  private static let slowThreshold = Duration.seconds(2)

  /// The counts so far.
  var summary = BatchSummary()
  /// The batch to report on.
  weak var batch: BatchEncoder?

  private let style: Style
  /// Whether the summary is always printed, and not only after a long run or a failure.
  private let alwaysCounts: Bool
  private let now: () -> Duration
  private let show: (ProgressLine?) -> Void
  private var meter = ProgressMeter()
  private var lastReport = Duration.zero

  /// Creates a reporter for a batch that starts now.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether to suppress progress and the summary.
  ///   - terminal: The terminal on standard error, if any.
  ///   - sharesTerminal: Whether records go to a terminal too, where they would collide with the progress line.
  convenience init(isQuiet: Bool = false, on terminal: Terminal?, sharesTerminal: Bool) {
    let clock = ContinuousClock()
    let start = clock.now
    var style = Style.log
    if isQuiet {
      style = .silent
    } else if let terminal, terminal.canErase, !sharesTerminal {
      style = .line
    }
    self.init(
      style, alwaysCounts: terminal != nil, now: { clock.now - start }
    ) { [style] line in
      switch style {
      case .line: StandardError.show(line?.text(width: Terminal.width) ?? "")
      case .log: if let line { StandardError.print("\(line)") }
      case .silent: break
      }
    }
  }

  /// Creates a reporter with the given clock and display function.
  init(
    _ style: Style, alwaysCounts: Bool, now: @escaping () -> Duration,
    show: @escaping (ProgressLine?) -> Void
  ) {
    self.style = style
    self.alwaysCounts = alwaysCounts
    self.now = now
    self.show = show
  }

  /// The minimum time between reports; `nil` for no reports.
  private var interval: Duration? {
    switch style {
    case .line: .milliseconds(100)
    case .log: .seconds(5)
    case .silent: nil
    }
  }

  /// The function that reports while the batch waits, and the interval between calls; `nil` for no reports.
  var reports: (every: Duration, call: () -> Void)? {
    interval.map { ($0, { [weak self] in self?.reportIfDue() }) }
  }

  /// Counts an event, prints its message if it has one, and reports progress if due.
  func receive(_ event: BatchEvent) {
    if let message = summary.count(event) { StandardError.print(message) }
    reportIfDue()
  }

  /// The counts of the finished batch, with its duration.
  var result: BatchSummary {
    var summary = summary
    summary.elapsed = now()
    let isDue = alwaysCounts || lastReport > .zero || summary.failedCount > 0
    summary.isWanted = style != .silent && isDue
    return summary
  }

  /// Clears the progress line.
  func stop() {
    show(nil)
  }

  private func reportIfDue() {
    guard let interval else { return }
    let elapsed = now()
    guard elapsed - lastReport >= interval else { return }
    lastReport = elapsed
    var line = meter.line(for: summary, fraction: batch?.fraction, at: elapsed)
    if let (path, since) = batch?.awaited {
      let duration = ContinuousClock.now - since
      if duration >= Self.slowThreshold { line.awaited = .init(path: path, duration: duration) }
    }
    show(line)
  }
}

/// Estimates the rate and the remaining time of a batch from its counts.
///
/// Rates are weighted means in which older observations weigh less. Only files that were read are counted, because reused
/// records cost almost nothing and often come in long runs.
struct ProgressMeter {
  /// The age in seconds at which the weight of an observation has fallen to about a third.
  private static let decayTime = 10.0
  /// The longest remaining time to show, in seconds.
  private static let maximumTimeLeft = 100.0 * 3600
  /// The time before which rates are too unreliable to show.
  private static let warmUpTime = Duration.seconds(1)

  private var lastElapsed = Duration.zero
  private var lastSummary = BatchSummary()
  private var lastFraction = 0.0
  private var (seconds, images, bytes, fractions) = (0.0, 0.0, 0.0, 0.0)

  /// Updates the rates with the current counts.
  ///
  /// - Parameters:
  ///   - summary: The counts.
  ///   - fraction: The completed fraction; `nil` if it is unknown.
  ///   - elapsed: The time since the batch started.
  /// - Returns: The progress to show.
  mutating func line(
    for summary: BatchSummary, fraction: Double?, at elapsed: Duration
  ) -> ProgressLine {
    let interval = (elapsed - lastElapsed) / .seconds(1)
    let decay = 1 / (1 + interval / Self.decayTime)
    seconds = seconds * decay + interval
    images = images * decay + Double(summary.readCount - lastSummary.readCount)
    bytes = bytes * decay + Double(summary.byteCount - lastSummary.byteCount)
    fractions = fractions * decay + ((fraction ?? 0) - lastFraction)
    (lastElapsed, lastSummary, lastFraction) = (elapsed, summary, fraction ?? 0)

    var line = ProgressLine(
      visitedCount: summary.visitedCount, fraction: fraction, failedCount: summary.failedCount)
    guard elapsed >= Self.warmUpTime, images > 0 else { return line }
    line.imagesPerSecond = images / seconds
    line.bytesPerSecond = bytes / seconds
    if let fraction, fractions > 0 {
      let left = (1 - fraction) * seconds / fractions
      if left < Self.maximumTimeLeft { line.timeLeft = .seconds(left.rounded(.up)) }
    }
    return line
  }
}
