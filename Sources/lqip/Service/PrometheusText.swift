/// A text in the exposition format of Prometheus, version 0.0.4.
struct PrometheusText {
  typealias Labels = [(name: String, value: String)]

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
