/// A text in the Prometheus exposition format, version 0.0.4.
struct PrometheusText {
  typealias Labels = [HeaderField]

  enum Kind: String {
    case counter, gauge, histogram
  }

  private(set) var text = ""

  /// Writes a metric with its samples; a suffix extends the metric's name.
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

  /// Writes a metric with one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    add(name, kind, help, [("", [], value)])
  }

  /// Writes a metric with one integer sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    add(name, kind, help, Double(value))
  }

  /// Writes an info metric, which consists of labels and the value 1.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ labels: Labels) {
    add(name, kind, help, [("", labels, 1)])
  }

  /// Writes counts by reason.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, byReason counts: [String: Int]) {
    add(
      name, kind, help,
      counts.sorted { $0.key < $1.key }.map { ("", [("reason", $0.key)], Double($0.value)) })
  }

  /// Writes a histogram in seconds.
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

  /// Formats a value, without a decimal point if it is an integer.
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
  /// The upper bounds of the finite buckets in seconds.
  static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  private var counts = Array(repeating: 0, count: bounds.count + 1)
  private(set) var sum = Duration.zero

  /// Counts a duration.
  mutating func add(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += duration
  }

  /// The number of durations up to each bound; the last element has no bound and the total count.
  var cumulativeCounts: [(bound: Double?, count: Int)] {
    var total = 0
    return (Self.bounds + [nil]).enumerated().map { index, bound in
      total += counts[index]
      return (bound, total)
    }
  }
}
