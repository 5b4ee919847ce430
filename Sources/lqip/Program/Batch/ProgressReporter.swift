import LqipRecords
import LqipSystem

/// Counts the events of a batch, and shows its progress on standard error.
///
/// On a terminal, one line is redrawn in place. Elsewhere, a log line is printed every few seconds.
final class ProgressReporter {
  var summary = BatchSummary()
  /// The fraction of the input that has been delivered, 0...1; `nil` if it is unknown.
  var fraction: Double?
  /// The minimum time between reports; `nil` for no reports.
  let interval: Duration?

  private let redraws: Bool
  /// Whether the summary is always printed, and not only after a long run or a failure.
  private let alwaysCounts: Bool
  private let start = MonotonicTime.now
  private var lastReport = Duration.zero

  /// Creates a reporter for a batch that starts now.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether to suppress progress and the summary.
  ///   - terminal: The terminal on standard error, if any.
  ///   - sharesTerminal: Whether records go to a terminal too, where they would collide with the progress line.
  init(isQuiet: Bool, on terminal: Terminal?, sharesTerminal: Bool) {
    redraws = !isQuiet && !sharesTerminal && terminal?.canErase ?? false
    interval = isQuiet ? nil : redraws ? .milliseconds(100) : .seconds(5)
    alwaysCounts = terminal != nil
  }

  /// Counts an event, prints its message if it has one, and reports progress if due.
  func receive(_ event: BatchEvent) {
    if let message = summary.count(event) { StandardError.print(message) }
    report()
  }

  /// Reports progress if the interval has passed since the last report.
  func report() {
    let elapsed = MonotonicTime.now - start
    guard isDue(at: elapsed) else { return }
    let width = redraws ? Terminal.width(of: STDERR_FILENO) : nil
    let line = summary.progress(at: fraction, after: elapsed, width: width)
    if redraws { StandardError.show(line) } else { StandardError.print(line) }
  }

  /// Returns whether a report is due at a time since the start; if so, the next one is due after the interval.
  func isDue(at elapsed: Duration) -> Bool {
    guard let interval, elapsed - lastReport >= interval else { return false }
    lastReport = elapsed
    return true
  }

  func stop() {
    if redraws { StandardError.show("") }
  }

  /// The counts of the finished batch, with its duration.
  var result: BatchSummary {
    var summary = summary
    summary.elapsed = MonotonicTime.now - start
    summary.isWanted =
      interval != nil
      && (alwaysCounts || lastReport > .zero || summary.failedCount > 0 || summary.hasOmissions)
    return summary
  }
}

extension BatchSummary {
  private static let barLength = 20
  /// The time before which the rate and the remaining time are too unreliable to show.
  private static let warmUpTime = Duration.seconds(1)
  /// The longest remaining time to show, in seconds.
  private static let maximumTimeLeft = 100.0 * 3600

  /// Returns the progress as one line.
  ///
  /// The rate counts only files that were read: reused records cost almost nothing. `width` is the width of the terminal
  /// in columns, or `nil` for a line in a log, which has no bar.
  func progress(at fraction: Double?, after elapsed: Duration, width: Int?) -> String {
    var parts = ["\(visitedCount) \(visitedCount == 1 ? "image" : "images")"]
    if failedCount > 0 { parts.append("\(failedCount) failed") }
    if let fraction { parts.append("\(Int(fraction * 100))%") }
    if elapsed >= Self.warmUpTime, readCount > 0 {
      if let fraction, fraction > 0 {
        let left = (elapsed / .seconds(1) * (1 - fraction) / fraction).rounded(.up)
        if left < Self.maximumTimeLeft { parts.append("\(NumberText.clock(.seconds(left))) left") }
      }
      parts.append("\(NumberText.rate(readCount, in: elapsed)) images/s")
    }
    guard let width else { return parts.joined(separator: ", ") }
    if let fraction {
      let done = String(repeating: "#", count: Int(Double(Self.barLength) * fraction))
      let rest = String(repeating: " ", count: Self.barLength - done.count)
      parts.insert("[\(done)\(rest)]", at: 0)
    }
    // The last column stays free, because some terminals wrap after it.
    return String(parts.joined(separator: "  ").prefix(max(0, width - 1)))
  }
}

/// Formats measurements for messages.
enum NumberText {
  /// Formats a number of files per second, with one decimal below 10.
  static func rate(_ count: Int, in duration: Duration) -> String {
    let tenths = Int((Double(count) / max(duration / .seconds(1), 1e-3) * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }

  /// Formats a duration as minutes and seconds, with hours if needed: `0:05`, `12:34`, `1:00:00`.
  static func clock(_ duration: Duration) -> String {
    let seconds = UInt64(clamping: duration.components.seconds)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let beginning = hours > 0 ? "\(hours):\(String(minutes, minimumLength: 2))" : "\(minutes)"
    return "\(beginning):\(String(seconds % 60, minimumLength: 2))"
  }

  /// Formats an elapsed time in seconds with one decimal, or like `clock(_:)` from one minute on.
  static func elapsed(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : clock(.seconds(tenths / 10))
  }
}
