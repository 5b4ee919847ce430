/// A histogram of durations.
struct Histogram: Sendable {
  /// The ends of the ranges in seconds; another range goes on from the last.
  static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  private var counts = Array(repeating: 0, count: bounds.count + 1)
  private(set) var sum = Duration.zero

  /// Counts one.
  mutating func add(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += duration
  }

  /// How many were at most each bound, and in the end how many there were in all.
  var cumulativeCounts: [(bound: Double?, count: Int)] {
    var total = 0
    return (Self.bounds + [nil]).enumerated().map { index, bound in
      total += counts[index]
      return (bound, total)
    }
  }
}
