import LqipSystem

/// The progress of a batch, in one line.
struct ProgressLine: Hashable, Sendable {
  /// An image that takes unusually long, and how long it has.
  struct Awaited: Hashable, Sendable {
    let path: FilePath
    let duration: Duration
  }

  private static let barLength = 20
  /// The maximum width of a name in a line for a terminal.
  private static let nameLength = 24

  var visitedCount: Int
  /// The part that is done, 0...1; `nil` if it is unknown.
  var fraction: Double?
  var imagesPerSecond: Double?
  var bytesPerSecond: Double?
  var timeLeft: Duration?
  var failedCount = 0
  var awaited: Awaited?

  /// The line for a terminal: what does not fit is left out, the least important first.
  ///
  /// - Parameter width: The columns of the terminal; the last stays free, as some wrap after it.
  /// - Returns: The line without its end.
  func text(width: Int) -> String {
    var parts = parts { path in
      let text = "\(path)"
      // The end of a path differs more than its beginning.
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

  /// The parts of the line, the most important first.
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
  /// The line for a log.
  var description: String {
    parts { "\($0)" }.joined(separator: ", ")
  }
}

/// Writes measured numbers for people, with no more digits than they look at.
enum NumberText {
  /// A number of at least zero, with a decimal where it is small.
  static func number(_ value: Double) -> String {
    // What no machine reaches is not worth a trap.
    let tenths = Int(min(1e15, value * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }

  /// Hours, minutes and seconds, as many as there are: `0:05`, `12:34`, `1:00:00`.
  static func clock(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let hours = seconds / 3600
    return (hours > 0 ? "\(hours):" : "")
      + (hours > 0 ? twoDigits(seconds / 60 % 60) : "\(seconds / 60)")
      + ":" + twoDigits(seconds % 60)
  }

  /// An elapsed time: seconds with a decimal, or from a minute on as a clock shows it.
  static func elapsed(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : clock(.seconds(tenths / 10))
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
