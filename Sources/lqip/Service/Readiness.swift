internal import Synchronization

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
