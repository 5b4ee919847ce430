package import LqipFiles
internal import LqipRecords

/// Tells people how far a batch is, while it runs.
@MainActor
package final class ProgressReporter {
  /// The counts so far.
  package var summary = BatchSummary() {
    didSet { reportIfDue() }
  }

  /// The batch, which knows what it waits for.
  package weak var batch: BatchEncoder?

  /// How long an image may take before people are told which it is.
  private static let patience = Duration.seconds(2)

  private let style: ProgressStyle
  private let sums: Sums
  private let now: () -> Duration
  private let show: (ProgressLine?) -> Void
  private var meter = ProgressMeter()
  private var lastReport = Duration.zero
  private let ahead = Monitor(Ahead())

  /// What is counted ahead of the batch.
  private struct Ahead {
    var total: Int?
    var isWanted = true
  }

  /// When the counts are printed at the end.
  package enum Sums: Sendable {
    case always
    /// If it took long, or if something failed.
    case ifWorthIt
    case never
  }

  /// Prepares to report on a batch that begins now.
  ///
  /// - Parameters:
  ///   - mode: What the user wants.
  ///   - isQuiet: Whether even the counts at the end are not wanted.
  ///   - interval: The time from one report to the next where they are lines of a log.
  ///   - terminal: The terminal behind standard error, if there is one.
  ///   - sharesTerminal: Whether results go to a terminal too.
  package convenience init(
    _ mode: ProgressMode, isQuiet: Bool = false, every interval: Duration = .seconds(5),
    on terminal: Terminal?, sharesTerminal: Bool
  ) {
    let style =
      isQuiet
      ? .silent
      : ProgressStyle(mode, every: interval, on: terminal, sharesTerminal: sharesTerminal)
    let isWatched = mode != .auto || terminal != nil
    let clock = ContinuousClock()
    let start = clock.now
    self.init(
      style, sums: isQuiet ? .never : isWatched ? .always : .ifWorthIt,
      now: { clock.now - start }, show: style.show)
  }

  /// Prepares to report with a clock and to a place of the caller's own.
  init(
    _ style: ProgressStyle, sums: Sums,
    now: @escaping () -> Duration, show: @escaping (ProgressLine?) -> Void
  ) {
    self.style = style
    self.sums = sums
    self.now = now
    self.show = show
  }

  /// The counts with what is known once the batch has ended.
  package var result: BatchSummary {
    var summary = summary
    summary.elapsed = now()
    summary.isWanted =
      sums == .always || sums == .ifWorthIt && (lastReport > .zero || summary.failedCount > 0)
    return summary
  }

  /// What reports while no result comes, and how often that is to be called; nil for never.
  package var reports: (every: Duration, call: () -> Void)? {
    style.interval.map { ($0, { [weak self] in self?.reportIfDue() }) }
  }

  /// Counts ahead what there is, if that is to be shown.
  ///
  /// - Parameter walker: A walk like that of the batch.
  package func count(_ walker: ImageWalker) {
    guard case .line = style else { return }
    // Without another thread, there is no total.
    _ = try? SystemThread { [ahead] in
      let count = Self.count(walker, for: ahead)
      ahead.withLock { $0.total = count }
    }
  }

  /// Ends reporting, and takes away what would stay on the screen.
  package func stop() {
    ahead.withLock { $0.isWanted = false }
    show(nil)
  }

  private func reportIfDue() {
    guard let interval = style.interval else { return }
    let elapsed = now()
    guard elapsed - lastReport >= interval else { return }
    lastReport = elapsed
    let total = ahead.withLock { $0.total }
    var line = meter.line(for: summary, total: total, at: elapsed)
    if let (path, since) = batch?.awaited {
      let duration = ContinuousClock.now - since
      if duration >= Self.patience { line.awaited = .init(path: path, duration: duration) }
    }
    show(line)
  }

  private nonisolated static func count(_ walker: ImageWalker, for ahead: Monitor<Ahead>) -> Int {
    var walker = walker
    var count = 0
    while ahead.withLock({ $0.isWanted }), let finding = try? walker.next() {
      guard case .image(let path, let followsLinks, let isCandidate) = finding else { continue }
      if !isCandidate || path.isImage(followsLinks: followsLinks) { count += 1 }
    }
    return count
  }
}
