import LqipSystem

/// Text in the Prometheus exposition format, version 0.0.4.
struct PrometheusText {
  private(set) var text = ""

  /// Writes a counter if the name ends in `_total`, otherwise a gauge.
  mutating func add(
    _ name: String, _ help: String, _ samples: [(labels: [HeaderField], value: Int)]
  ) {
    begin(name, name.hasSuffix("_total") ? "counter" : "gauge", help)
    for (labels, value) in samples { add(sample: name, labels, "\(value)") }
  }

  /// Writes a counter or a gauge with one sample.
  mutating func add(_ name: String, _ help: String, _ value: Int, _ labels: [HeaderField] = []) {
    add(name, help, [(labels, value)])
  }

  /// Writes a counter or a gauge with one sample per reason.
  mutating func add(_ name: String, _ help: String, byReason counts: [String: Int]) {
    add(name, help, counts.sorted { $0.key < $1.key }.map { ([("reason", $0)], $1) })
  }

  /// Writes a histogram of durations, in seconds.
  mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
    begin(name, "histogram", help)
    var total = 0
    for (bound, count) in zip(Histogram.bounds.map(Self.number) + ["+Inf"], histogram.counts) {
      total += count
      add(sample: "\(name)_bucket", [("le", bound)], "\(total)")
    }
    add(sample: "\(name)_sum", [], Self.number(histogram.sum / .seconds(1)))
    add(sample: "\(name)_count", [], "\(total)")
  }

  private mutating func begin(_ name: String, _ kind: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  private mutating func add(sample name: String, _ labels: [HeaderField], _ value: String) {
    let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
    let list = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    text += "\(name)\(list) \(value)\n"
  }

  /// Formats a value, without a decimal point if it is an integer.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

/// A histogram of durations.
struct Histogram: Sendable {
  /// The upper bounds of the finite buckets, in seconds.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  /// The number of durations in each bucket; the last bucket has no upper bound.
  private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
  private(set) var sum = Duration.zero

  mutating func add(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += duration
  }
}
