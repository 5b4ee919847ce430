import LqipOptions
import LqipRecords
package import LqipSystem
import PlaceholderEncoding

/// The server's counters and histograms, which ``PrometheusText`` formats.
package final class Metrics: Sendable {
  struct Counts {
    var closedConnections: [CloseReason: Int] = [:]
    var inFlight = 0
    /// The number of responses by route and status.
    var responses: [String: [Int: Int]] = [:]
    var refusals: [String: Int] = [:]
    var decoderFailures: [String: Int] = [:]
    var alarms = 0
    var decoding = Histogram()
    var waiting = Histogram()
    var requests = Histogram()

    mutating func add(_ summary: RequestSummary) {
      inFlight -= 1
      // Unknown paths share one label, to bound the number of series.
      responses[summary.route ?? "other", default: [:]][summary.status, default: 0] += 1
      if summary.outcome != "ok" { refusals[summary.outcome, default: 0] += 1 }
      if let time = summary.decodingTime { decoding.add(time) }
      requests.add(summary.totalTime)
    }
  }

  let counts = Monitor(Counts())

  /// The number of requests that have not been answered.
  package var inFlightCount: Int { counts.withLock(\.inFlight) }

  /// The running server, whose usage and limits are metrics.
  let server = Monitor<ServerContext?>(nil)
  private let droppedLineCount: @Sendable () -> Int

  /// Creates metrics with all counts at zero.
  package init(droppedLineCount: @escaping @Sendable () -> Int = { 0 }) {
    self.droppedLineCount = droppedLineCount
  }

  func count(_ change: (inout Counts) -> Void) {
    counts.withLock(change)
  }

  /// Counts a failure of a worker.
  package func count(_ failure: WorkerFailure) {
    count { $0.decoderFailures[failure.code, default: 0] += 1 }
  }

  /// Counts a minute with so many failures of workers that an attack is likely.
  package func countAlarm() { count { $0.alarms += 1 } }

  /// All metrics in the Prometheus text format.
  var text: String {
    var text = PrometheusText()
    // A copy of the counts would make the next update duplicate their storage.
    counts.withLock { Self.add($0, to: &text) }
    let server = server.withLock(\.self)
    if let server { Self.add(server, to: &text) }
    text.add(
      "lqip_log_lines_dropped_total",
      "Log lines dropped because the log queue was full or a write failed.", droppedLineCount())
    let algorithm = "\(PlaceholderEncoder.algorithmVersion)"
    text.add(
      "lqip_build_info", "Always 1, labeled with version information.", 1,
      [("version", ProgramVersion.current), ("algorithm", algorithm)])
    text.add(
      "lqip_library_info", "Always 1, labeled with the version of a codec library.",
      CodecLibrary.allCases.map { library in
        ([("library", library.rawValue), ("version", library.version ?? "missing")], 1)
      })
    if let sandbox = server?.workers.supply.sandbox {
      text.add(
        "lqip_sandbox_info", "Always 1, labeled with the sandbox layers of the decoders.", 1,
        [("walls", "\(sandbox)")])
    }
    return text.text
  }

  private static func add(_ counts: Counts, to text: inout PrometheusText) {
    var responses: [(labels: [HeaderField], value: Int)] = []
    for (route, statuses) in counts.responses.sorted(by: { $0.key < $1.key }) {
      for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
        responses.append(([("route", route), ("status", "\(status)")], count))
      }
    }
    text.add("lqip_requests_total", "Completed requests.", responses)
    text.add("lqip_refusals_total", "Failed requests, by error code.", byReason: counts.refusals)
    text.add(
      "lqip_decoder_failures_total", "Worker failures, by reason.",
      byReason: counts.decoderFailures)
    text.add(
      "lqip_decoder_alarms_total", "Replacements of all workers after many failures.",
      counts.alarms)
    text.add("lqip_requests_in_flight", "Requests in flight.", counts.inFlight)
    text.add(
      "lqip_connections_cut_total", "Connections closed by the server, by reason.",
      byReason: Dictionary(
        uniqueKeysWithValues: counts.closedConnections.map { ($0.key.rawValue, $0.value) }))
    text.add(
      "lqip_decode_seconds", "Time to decode and encode the images in a request.", counts.decoding)
    text.add("lqip_queue_wait_seconds", "Time that requests spend in the queue.", counts.waiting)
    text.add(
      "lqip_request_seconds",
      "Time from the first line of a request to the end of its response.", counts.requests)
  }

  private static func add(_ server: ServerContext, to text: inout PrometheusText) {
    let limits = server.limits
    text.add("lqip_connections_open", "Open client connections.", server.reaper.connectionCount)
    text.add("lqip_connections_limit", "Maximum open connections.", limits.connectionCount)
    text.add(
      "lqip_queue_depth", "Queued requests, by type of work.",
      RequestHandler.Work.allCases.map {
        ([("work", $0.rawValue)], server.queueLength(of: $0))
      })
    text.add(
      "lqip_queue_limit", "Maximum number of queued requests, by type of work.",
      RequestHandler.Work.allCases.map { ([("work", $0.rawValue)], limits.queueLength(of: $0)) })
    text.add("lqip_workers_busy", "Busy workers.", server.workers.queue.lentCount)
    text.add("lqip_workers_limit", "Maximum busy workers.", limits.workerCount)
    text.add(
      "lqip_body_memory_bytes", "Memory held by request bodies.", server.budget.heldByteCount)
    text.add(
      "lqip_body_memory_limit_bytes", "Maximum memory held by request bodies.",
      limits.bufferedByteCount)
  }
}
