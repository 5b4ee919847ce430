/// A text in the exposition format of Prometheus, version 0.0.4.
struct PrometheusText {
  typealias Labels = [HeaderField]

  enum Kind: String {
    case counter, gauge, histogram
  }

  private(set) var text = ""

  /// Writes a metric with its samples; a suffix is joined to the metric's name.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String,
    _ samples: [(suffix: String, labels: Labels, value: Double)]
  ) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (suffix, labels, value) in samples {
      let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      let list = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
      text += "\(name)\(suffix)\(list) \(Self.number(value))\n"
    }
  }

  /// Writes a metric of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    add(name, kind, help, [("", [], value)])
  }

  /// Writes a metric of one count.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    add(name, kind, help, Double(value))
  }

  /// Writes a metric whose labels say everything.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ labels: Labels) {
    add(name, kind, help, [("", labels, 1)])
  }

  /// Writes how often things happened, by the reason.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, byReason counts: [String: Int]) {
    add(
      name, kind, help,
      counts.sorted { $0.key < $1.key }.map { ("", [("reason", $0.key)], Double($0.value)) })
  }

  /// Writes a histogram of seconds.
  mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
    let counts = histogram.cumulativeCounts
    let buckets = counts.map { bound, count in
      let end = bound.map(Self.number) ?? "+Inf"
      return (suffix: "_bucket", labels: [(name: "le", value: end)], value: Double(count))
    }
    let sum = histogram.sum / .seconds(1)
    let count = buckets.last?.value ?? 0
    add(name, .histogram, help, buckets + [("_sum", [], sum), ("_count", [], count)])
  }

  /// A whole number is written as one.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    value.map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.joined()
  }
}

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
