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
  private var total: Int?
  private var lastReport = Duration.zero
  private var tasks: [Task<Void, Never>] = []

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

  /// Reports until the end, also while no result comes.
  ///
  /// - Parameter walker: A walk like that of the batch, to count ahead what there is; nil if it
  ///   can be made only once.
  package func start(counting walker: ImageWalker?) {
    guard let interval = style.interval else { return }
    tasks.append(
      Task { [weak self] in
        while (try? await Task.sleep(for: interval)) != nil { self?.reportIfDue() }
      })
    guard let walker, case .line = style else { return }
    tasks.append(
      Task.detached(priority: .utility) { [weak self] in
        let count = Self.count(walker)
        await self?.setTotal(count)
      })
  }

  /// Ends reporting, and takes away what would stay on the screen.
  package func stop() {
    for task in tasks { task.cancel() }
    tasks = []
    show(nil)
  }

  private func setTotal(_ count: Int) {
    total = count
  }

  private func reportIfDue() {
    guard let interval = style.interval else { return }
    let elapsed = now()
    guard elapsed - lastReport >= interval else { return }
    lastReport = elapsed
    var line = meter.line(for: summary, total: total, at: elapsed)
    if let (path, since) = batch?.awaited {
      let duration = ContinuousClock.now - since
      if duration >= Self.patience { line.awaited = .init(path: path, duration: duration) }
    }
    show(line)
  }

  private nonisolated static func isImage(_ path: FilePath, followsLinks: Bool) -> Bool {
    guard let file = try? RegularFile(opening: path, followsLinks: followsLinks) else {
      return false
    }
    return file.descriptor.isImage
  }

  private nonisolated static func count(_ walker: ImageWalker) -> Int {
    var walker = walker
    var count = 0
    while !Task.isCancelled, let finding = try? walker.next() {
      guard case .image(let path, let followsLinks, let isCandidate) = finding else { continue }
      if !isCandidate || isImage(path, followsLinks: followsLinks) { count += 1 }
    }
    return count
  }
}
