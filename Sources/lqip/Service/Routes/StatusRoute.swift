import Synchronization

/// Tells load balancers and monitoring whether the server is well.
struct StatusRoute: Route {
  let path: String
  /// What is wrong; nil for nothing.
  let problem: @Sendable () -> Problem?

  func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    if let problem = problem() { throw problem }
    return .answer(.text("ok\n", type: "text/plain; charset=utf-8"))
  }
}

/// The figures of the server, in the form that Prometheus reads.
struct MetricsRoute: Route {
  let metrics: Metrics

  let path = "/metrics"
  let isPublic = false

  func accept(_ head: RequestHead) -> Acceptance {
    .answer(.text(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8"))
  }
}

extension Response {
  /// A text that no cache keeps.
  fileprivate static func text(_ text: String, type: String) -> Response {
    Response(
      status: 200, fields: [("content-type", type), ("cache-control", "no-store")],
      body: Array(text.utf8))
  }
}

/// Whether the server wants more requests, as `/readyz` says.
package final class Readiness: Sendable {
  private let ended = Atomic(false)

  package init() {}

  /// Whether the server is shutting down.
  var isDraining: Bool {
    ended.load(ordering: .relaxed)
  }

  /// Makes `/readyz` answer 503.
  package func drain() {
    ended.store(true, ordering: .relaxed)
  }
}
