/// How far a batch is, in one line.
struct ProgressLine: Hashable, Sendable {
  var visitedCount: Int
  /// How many there are in all, once that is known.
  var total: Int?
  var imagesPerSecond: Double?
  var bytesPerSecond: Double?
  var timeLeft: Duration?
  var failedCount = 0

  /// A piece of the line; where there is no room, the highest rank gives way first.
  private struct Part {
    let rank: Int
    let text: String
    /// The same with its colors.
    let painted: String

    init(_ rank: Int, _ text: String, painted: String? = nil) {
      self.rank = rank
      self.text = text
      self.painted = painted ?? text
    }
  }

  private static let barLength = 20

  /// The line for a terminal, drawn to fit.
  ///
  /// - Parameters:
  ///   - width: The columns of the terminal; the last stays free, as some wrap after it.
  ///   - inColor: Whether the bar is green and failures are red.
  /// - Returns: The line without its end.
  func text(width: Int, inColor: Bool) -> String {
    let all = [bar].compactMap(\.self) + parts
    for rank in (0...4).reversed() {
      let parts = all.filter { $0.rank <= rank }
      guard parts.map(\.text).joined(separator: "  ").count < width else { continue }
      return parts.map { inColor ? $0.painted : $0.text }.joined(separator: "  ")
    }
    return String(count.prefix(max(0, width - 1)))
  }

  private var parts: [Part] {
    let failed = "\(failedCount) failed"
    return [
      Part(0, count),
      imagesPerSecond.map { Part(2, "\(Figure.number($0)) images/s") },
      bytesPerSecond.map { Part(3, "\(Figure.number($0 / 1e6)) MB/s") },
      timeLeft.map { Part(1, "\(Figure.clock($0)) left") },
      failedCount > 0 ? Part(0, failed, painted: "\u{1B}[31m\(failed)\u{1B}[m") : nil,
    ].compactMap(\.self)
  }

  /// The count, as wide as it will be at the end so that what follows it stays where it is.
  private var count: String {
    guard let total else { return "\(visitedCount) \(visitedCount == 1 ? "image" : "images")" }
    let padding = "\(total)".count - "\(visitedCount)".count
    return String(repeating: " ", count: max(0, padding)) + "\(visitedCount) of \(total)"
  }

  private var bar: Part? {
    guard let total, total > 0 else { return nil }
    let length = Self.barLength * min(visitedCount, total) / total
    let done = String(repeating: "#", count: length)
    let rest = String(repeating: " ", count: Self.barLength - length)
    return Part(4, "[\(done)\(rest)]", painted: "[\u{1B}[32m\(done)\u{1B}[m\(rest)]")
  }
}

extension ProgressLine: CustomStringConvertible {
  /// The line for a log.
  var description: String {
    parts.map(\.text).joined(separator: ", ")
  }
}
