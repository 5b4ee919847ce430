/// The route of a health check for load balancers and monitoring.
struct StatusRoute: Route {
  let path: String
  /// Returns the current problem, or `nil` if the server is healthy.
  let problem: @Sendable () -> Problem?

  func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    if let problem = problem() { throw problem }
    return .respond(.text("ok\n", type: "text/plain; charset=utf-8"))
  }
}

/// The route that returns the metrics in the Prometheus text format.
struct MetricsRoute: Route {
  let metrics: Metrics

  let path = "/metrics"
  let isPublic = false

  func accept(_ head: RequestHead) -> Acceptance {
    .respond(.text(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8"))
  }
}

extension Response {
  /// Returns a text response that caches do not store.
  fileprivate static func text(_ text: String, type: String) -> Response {
    Response(
      status: 200, fields: [("content-type", type), ("cache-control", "no-store")],
      body: Array(text.utf8))
  }
}
