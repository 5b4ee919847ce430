internal import LqipFiles

/// How far a batch is, in one line.
struct ProgressLine: Hashable, Sendable {
  var visitedCount: Int
  /// How many there are in all, once that is known.
  var total: Int?
  var imagesPerSecond: Double?
  var bytesPerSecond: Double?
  var timeLeft: Duration?
  var failedCount = 0
  /// An image that takes unusually long, and how long it has.
  var awaited: Awaited?

  struct Awaited: Hashable, Sendable {
    let path: FilePath
    let duration: Duration
  }

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

  private static let barRank = 2
  private static let barLengths = 8...20
  /// The columns that a name may take in a line for a terminal.
  private static let nameLength = 24

  /// The line for a terminal, drawn to fit.
  ///
  /// - Parameters:
  ///   - width: The columns of the terminal; the last stays free, as some wrap after it.
  ///   - inColor: Whether the bar is green and failures are red.
  /// - Returns: The line without its end.
  func text(width: Int, inColor: Bool) -> String {
    for rank in (0...4).reversed() {
      var parts = parts(named: shortName).filter { $0.rank <= rank }
      let room = width - 1 - Self.text(of: parts, inColor: false).count - "[]  ".count
      if rank >= Self.barRank, total ?? 0 > 0 {
        guard let bar = bar(upTo: room) else { continue }
        parts.insert(bar, at: 0)
      }
      guard Self.text(of: parts, inColor: false).count < width else { continue }
      return Self.text(of: parts, inColor: inColor)
    }
    return String(count.prefix(max(0, width - 1)))
  }

  private static func text(of parts: [Part], inColor: Bool) -> String {
    parts.map { inColor ? $0.painted : $0.text }.joined(separator: "  ")
  }

  private func parts(named name: (FilePath) -> String) -> [Part] {
    let failed = "\(failedCount) failed"
    let parts: [Part?] = [
      Part(0, count),
      imagesPerSecond.map { Part(3, "\(NumberText.number($0)) images/s") },
      bytesPerSecond.map { Part(4, "\(NumberText.number($0 / 1e6)) MB/s") },
      timeLeft.map { Part(1, "\(NumberText.clock($0)) left") },
      failedCount > 0 ? Part(0, failed, painted: "\u{1B}[31m\(failed)\u{1B}[m") : nil,
      awaited.map { Part(1, "\(NumberText.clock($0.duration)) for \(name($0.path))") },
    ]
    return parts.compactMap(\.self)
  }

  /// The count, as wide as it will be at the end so that what follows it stays where it is.
  private var count: String {
    guard let total else { return "\(visitedCount) \(visitedCount == 1 ? "image" : "images")" }
    let padding = "\(total)".count - "\(visitedCount)".count
    return String(repeating: " ", count: max(0, padding)) + "\(visitedCount) of \(total)"
  }

  /// The end of a path, which tells more than its beginning.
  private func shortName(_ path: FilePath) -> String {
    let text = "\(path)"
    return text.count > Self.nameLength ? "..." + text.suffix(Self.nameLength - 3) : text
  }

  /// The bar, as long as there is room; it gives way to nothing but what has a lower rank.
  private func bar(upTo room: Int) -> Part? {
    guard let total, total > 0, room >= Self.barLengths.lowerBound else { return nil }
    let whole = min(room, Self.barLengths.upperBound)
    let length = whole * min(visitedCount, total) / total
    let done = String(repeating: "#", count: length)
    let rest = String(repeating: " ", count: whole - length)
    return Part(
      Self.barRank, "[\(done)\(rest)]", painted: "[\u{1B}[32m\(done)\u{1B}[m\(rest)]")
  }
}

extension ProgressLine: CustomStringConvertible {
  /// The line for a log.
  var description: String {
    parts(named: { "\($0)" }).map(\.text).joined(separator: ", ")
  }
}
