internal import Synchronization

/// Whether more requests are welcome.
package final class Readiness: Sendable {
  private let ended = Atomic(false)

  package init() {}

  /// Whether the server is about to end.
  var isDraining: Bool {
    ended.load(ordering: .relaxed)
  }

  /// Tells those who ask that no more requests are welcome.
  package func drain() {
    ended.store(true, ordering: .relaxed)
  }
}
