internal import LqipFiles
internal import LqipOptions
internal import PlaceholderEncoding

/// Counts what the server does, for monitoring.
package final class Metrics: ServerObserver {
  private struct Answer: Hashable {
    let route: String
    let status: Int
  }

  private struct Counts {
    var connections = 0
    var cuts: [String: Int] = [:]
    var inFlight = 0
    var queueLength = 0
    var answers: [Answer: Int] = [:]
    var refusals: [String: Int] = [:]
    var decoderFailures: [String: Int] = [:]
    var receivedByteCount = 0
    var sentByteCount = 0
    var decoding = Histogram()
    var waiting = Histogram()
    var requests = Histogram()
  }

  private let counts = Monitor(Counts())
  private let startTime = Timestamp.now
  private let droppedLineCount: @Sendable () -> Int
  private let sandbox: @Sendable () -> String?

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - sandbox: Names the walls around the workers; nil before the first one is ready.
  ///   - droppedLineCount: Returns how many lines of the log were dropped.
  package init(
    sandbox: @escaping @Sendable () -> String? = { nil },
    droppedLineCount: @escaping @Sendable () -> Int = { 0 }
  ) {
    self.sandbox = sandbox
    self.droppedLineCount = droppedLineCount
  }

  func connectionOpened() {
    counts.withLock { $0.connections += 1 }
  }

  func connectionClosed() {
    counts.withLock { $0.connections -= 1 }
  }

  func connectionCut(_ reason: DeadlineReaper.Cut) {
    counts.withLock { $0.cuts[reason.rawValue, default: 0] += 1 }
  }

  func requestStarted() {
    counts.withLock { $0.inFlight += 1 }
  }

  func requestFinished(_ summary: RequestSummary) {
    counts.withLock { counts in
      counts.inFlight -= 1
      // Unknown paths share one label, to bound the number of series.
      let answer = Answer(route: summary.route ?? "other", status: summary.status)
      counts.answers[answer, default: 0] += 1
      if summary.outcome != "ok" { counts.refusals[summary.outcome, default: 0] += 1 }
      counts.receivedByteCount += summary.bytesIn
      counts.sentByteCount += summary.bytesOut
      if let time = summary.decodingTime { counts.decoding.add(time) }
      counts.requests.add(summary.totalTime)
    }
  }

  func decoderFailed(_ reason: String) {
    counts.withLock { $0.decoderFailures[reason, default: 0] += 1 }
  }

  func queueChanged(length: Int) {
    counts.withLock { $0.queueLength = length }
  }

  func queueLeft(after time: Duration) {
    counts.withLock { $0.waiting.add(time) }
  }

  /// Everything that was counted, and what the system knows of the process.
  var text: String {
    var text = PrometheusText()
    // Under the lock: the next count would have to duplicate the storage of a copy.
    counts.withLock { Self.add($0, to: &text) }
    text.add(
      "lqip_log_lines_dropped_total", .counter, "Log lines dropped because the log queue was full.",
      Double(droppedLineCount()))
    text.add(
      "lqip_build_info", .gauge, "Always 1, labeled with the versions.",
      [
        (
          "",
          [
            ("version", ProgramVersion.current),
            ("algorithm", "\(PlaceholderEncoder.algorithmVersion)"),
          ], 1
        )
      ])
    if let sandbox = sandbox() {
      text.add(
        "lqip_sandbox_info", .gauge, "Always 1, labeled with the sandbox layers of the decoders.",
        [("", [("walls", sandbox)], 1)])
    }
    addProcess(to: &text)
    return text.text
  }

  private static func add(_ counts: Counts, to text: inout PrometheusText) {
    text.add(
      "lqip_requests_total", .counter, "Completed requests.",
      counts.answers.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }.map {
        ("", [("route", $0.key.route), ("status", "\($0.key.status)")], Double($0.value))
      })
    text.add(
      "lqip_refusals_total", .counter, "Failed requests, by error code.",
      byReason: counts.refusals)
    text.add(
      "lqip_decoder_failures_total", .counter,
      "Images for which a worker returned no result, by reason.", byReason: counts.decoderFailures)
    text.add(
      "lqip_requests_in_flight", .gauge, "Requests in flight.", Double(counts.inFlight))
    text.add(
      "lqip_queue_depth", .gauge, "Requests in the decode queue.",
      Double(counts.queueLength))
    text.add(
      "lqip_connections_open", .gauge, "Open client connections.", Double(counts.connections))
    text.add(
      "lqip_connections_cut_total", .counter,
      "Connections closed by the server, by reason: deadline passed, slot needed, or no valid "
        + "request.",
      byReason: counts.cuts)
    text.add(
      "lqip_decode_seconds", "Time to decode and encode the images in a request.",
      counts.decoding)
    text.add(
      "lqip_queue_wait_seconds", "Time a request spent in the decode queue.",
      counts.waiting)
    text.add(
      "lqip_request_seconds",
      "Request duration, from its first line to the end of its response.", counts.requests)
    text.add(
      "lqip_received_bytes_total", .counter, "Bytes received in request bodies.",
      Double(counts.receivedByteCount))
    text.add(
      "lqip_sent_bytes_total", .counter, "Bytes sent in response bodies.",
      Double(counts.sentByteCount))
  }

  /// The metrics that Prometheus has of every process, under its own names.
  private func addProcess(to text: inout PrometheusText) {
    text.add(
      "process_start_time_seconds", .gauge,
      "Start time of the process, in seconds since the Unix epoch.",
      Double(startTime.seconds) + Double(startTime.nanoseconds) / 1e9)
    text.add(
      "process_cpu_seconds_total", .counter, "CPU time used.",
      ProcessFigures.processorTime)
    if let memory = ProcessFigures.residentMemory {
      text.add(
        "process_resident_memory_bytes", .gauge, "Resident memory.", Double(memory))
    }
    if let count = ProcessFigures.openDescriptorCount {
      text.add("process_open_fds", .gauge, "Open file descriptors.", Double(count))
    }
  }
}
