import LqipSystem

/// The progress of a batch as one line of text.
struct ProgressLine: Hashable, Sendable {
  /// An image that is taking unusually long, and the time it has taken so far.
  struct Awaited: Hashable, Sendable {
    let path: FilePath
    let duration: Duration
  }

  private static let barLength = 20
  /// The maximum length of a path on a terminal, in characters; longer paths are truncated.
  private static let nameLength = 24

  var visitedCount: Int
  /// The completed fraction, 0...1; `nil` if it is unknown.
  var fraction: Double?
  var imagesPerSecond: Double?
  var bytesPerSecond: Double?
  var timeLeft: Duration?
  var failedCount = 0
  var awaited: Awaited?

  /// Returns the line for a terminal; if it does not fit, the least important parts are omitted.
  ///
  /// - Parameter width: The width of the terminal in columns. The last column stays free, because some terminals wrap
  ///   after it.
  /// - Returns: The line without a line feed.
  func text(width: Int) -> String {
    var parts = parts { path in
      let text = "\(path)"
      // The end of a path is more distinctive than its beginning.
      return text.count > Self.nameLength ? "..." + text.suffix(Self.nameLength - 3) : text
    }
    if let fraction {
      let length = Int(Double(Self.barLength) * fraction)
      let done = String(repeating: "#", count: length)
      let bar = "[\(done)\(String(repeating: " ", count: Self.barLength - length))]"
      parts.insert(bar, at: parts.firstIndex { $0.hasSuffix("images/s") } ?? parts.count)
    }
    while parts.count > 1, parts.joined(separator: "  ").count >= width { parts.removeLast() }
    if let bar = parts.firstIndex(where: { $0.hasPrefix("[") }) {
      parts.insert(parts.remove(at: bar), at: 0)
    }
    return String(parts.joined(separator: "  ").prefix(max(0, width - 1)))
  }

  /// Returns the parts of the line, most important first.
  private func parts(named name: (FilePath) -> String) -> [String] {
    let parts: [String?] = [
      "\(visitedCount) \(visitedCount == 1 ? "image" : "images")",
      failedCount > 0 ? "\(failedCount) failed" : nil,
      fraction.map { "\(Int($0 * 100))%" },
      timeLeft.map { "\(NumberText.clock($0)) left" },
      awaited.map { "\(NumberText.clock($0.duration)) for \(name($0.path))" },
      imagesPerSecond.map { "\(NumberText.number($0)) images/s" },
      bytesPerSecond.map { "\(NumberText.number($0 / 1e6)) MB/s" },
    ]
    return parts.compactMap(\.self)
  }
}

extension ProgressLine: CustomStringConvertible {
  /// The line for a log, with complete paths.
  var description: String {
    parts { "\($0)" }.joined(separator: ", ")
  }
}

/// Formats measurements for messages.
enum NumberText {
  /// Formats a nonnegative number, with one decimal below 10.
  static func number(_ value: Double) -> String {
    // The bound keeps the conversion to `Int` from trapping.
    let tenths = Int(min(1e15, value * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }

  /// Formats a duration as minutes and seconds, with hours if needed: `0:05`, `12:34`, `1:00:00`.
  static func clock(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let hours = seconds / 3600
    return (hours > 0 ? "\(hours):" : "")
      + (hours > 0 ? twoDigits(seconds / 60 % 60) : "\(seconds / 60)")
      + ":" + twoDigits(seconds % 60)
  }

  /// Formats an elapsed time in seconds with one decimal, or like `clock(_:)` from one minute on.
  static func elapsed(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : clock(.seconds(tenths / 10))
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
