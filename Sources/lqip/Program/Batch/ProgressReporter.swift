import LqipSystem
import LqipRecords

/// Shows the progress of a batch on standard error.
///
/// On a terminal it is a line that is drawn again and again, elsewhere a line of text now and then.
final class ProgressReporter {
  /// Where progress is shown.
  enum Style: Hashable, Sendable {
    case line
    case log
    case silent
  }

  /// How long an image may take before its name is shown.
  private static let patience = Duration.seconds(2)

  /// The counts so far.
  var summary = BatchSummary()
  /// The batch, which knows how far it is.
  weak var batch: BatchEncoder?

  private let style: Style
  /// Whether the counts are printed at the end in any case, or only after a long run or a failure.
  private let alwaysCounts: Bool
  private let now: () -> Duration
  private let show: (ProgressLine?) -> Void
  private var meter = ProgressMeter()
  private var lastReport = Duration.zero

  /// Prepares to report on a batch that begins now.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether nothing is shown, the counts at the end included.
  ///   - terminal: The terminal behind standard error, if there is one.
  ///   - sharesTerminal: Whether results go to a terminal too, where they would run into the line.
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

  /// Prepares to report with a clock and to a place of the caller's own.
  init(
    _ style: Style, alwaysCounts: Bool, now: @escaping () -> Duration,
    show: @escaping (ProgressLine?) -> Void
  ) {
    self.style = style
    self.alwaysCounts = alwaysCounts
    self.now = now
    self.show = show
  }

  /// The least time from one report to the next; `nil` for no reports.
  private var interval: Duration? {
    switch style {
    case .line: .milliseconds(100)
    case .log: .seconds(5)
    case .silent: nil
    }
  }

  /// The function that reports while no result comes, and how often to call it; `nil` for never.
  var reports: (every: Duration, call: () -> Void)? {
    interval.map { ($0, { [weak self] in self?.reportIfDue() }) }
  }

  /// Counts an event, and prints what has to be known of it at once.
  func receive(_ event: BatchEvent) {
    if let message = summary.count(event) { StandardError.print(message) }
    reportIfDue()
  }

  /// The counts with what is known once the batch has ended.
  var result: BatchSummary {
    var summary = summary
    summary.elapsed = now()
    let isWorthIt = alwaysCounts || lastReport > .zero || summary.failedCount > 0
    summary.isWanted = style != .silent && isWorthIt
    return summary
  }

  /// Ends reporting, and removes the line from the screen.
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
      if duration >= Self.patience { line.awaited = .init(path: path, duration: duration) }
    }
    show(line)
  }
}

/// Turns the counts of a batch into its speed and the time that is left.
///
/// Speeds are means in which older observations weigh less. Records that are reused cost next to nothing
/// and often come in long rows, so only files that are read make up the speed.
struct ProgressMeter {
  /// The age in seconds at which an observation weighs about a third.
  private static let decayTime = 10.0
  /// No time beyond this, in seconds, is predicted.
  private static let horizon = 100.0 * 3600
  /// Before this time a speed means little.
  private static let start = Duration.seconds(1)

  private var lastElapsed = Duration.zero
  private var lastSummary = BatchSummary()
  private var lastFraction = 0.0
  private var (seconds, images, bytes, fractions) = (0.0, 0.0, 0.0, 0.0)

  /// Takes in the counts at a moment.
  ///
  /// - Parameters:
  ///   - summary: The counts.
  ///   - fraction: The part that is done; `nil` if it is unknown.
  ///   - elapsed: The time since the batch began.
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
    guard elapsed >= Self.start, images > 0 else { return line }
    line.imagesPerSecond = images / seconds
    line.bytesPerSecond = bytes / seconds
    if let fraction, fractions > 0 {
      let left = (1 - fraction) * seconds / fractions
      if left < Self.horizon { line.timeLeft = .seconds(left.rounded(.up)) }
    }
    return line
  }
}
