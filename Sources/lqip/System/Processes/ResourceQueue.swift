/// Lends a limited number of resources to threads, in the order in which the threads request them.
///
/// The queue length and the time in the queue are limited. A queue of `Void` lends permits.
package final class ResourceQueue<Resource>: Sendable {
  /// A waiting thread; a resource once it has received one.
  private typealias Waiter = Monitor<Resource?>

  /// The interval between checks whether a waiting thread still needs its resource.
  private static var checkInterval: Duration { .seconds(1) }

  private struct State {
    /// The resources that no thread has; the last one is lent first, because it was used most recently.
    var free: [Resource]
    /// The waiting threads; empty while a resource is free.
    var waiters: [Waiter] = []
  }

  private let count: Int
  private let state: Monitor<State>
  private let lengthLimit: Int
  private let deadline: Duration

  /// Creates a queue of up to `lengthLimit` threads, each of which waits for up to `deadline`.
  package init(_ resources: sending [Resource], lengthLimit: Int, deadline: Duration) {
    count = resources.count
    state = Monitor(State(free: resources))
    self.lengthLimit = lengthLimit
    self.deadline = deadline
  }

  /// The number of lent resources.
  package var lentCount: Int { count - state.withLock(\.free.count) }

  /// The number of waiting threads.
  package var length: Int { state.withLock(\.waiters.count) }

  /// Calls `body` with the free resources, which are not lent meanwhile.
  package func withFree<Result>(_ body: ([Resource]) -> Result) -> Result {
    state.withLock { body($0.free) }
  }

  /// Waits for a resource and calls `body` with it.
  ///
  /// - Parameters:
  ///   - isAbandoned: Returns whether the resource is no longer needed; called every second of the wait.
  ///   - body: The use of the resource.
  /// - Returns: The result of `body`.
  /// - Throws: ``QueueRefusal/full`` if the queue is full, ``QueueRefusal/expired`` at its deadline, or
  ///   ``QueueRefusal/abandoned``.
  package func withResource<Result>(
    unless isAbandoned: () -> Bool = { false }, _ body: (Resource) -> Result
  ) throws(QueueRefusal) -> Result {
    let resource = try take(unless: isAbandoned)
    defer { release(resource) }
    return body(resource)
  }

  private func take(unless isAbandoned: () -> Bool) throws(QueueRefusal) -> Resource {
    let waiter = Waiter(nil)
    try state.withLock { state throws(QueueRefusal) in
      if let resource = state.free.popLast() { return waiter.update { $0 = resource } }
      guard state.waiters.count < lengthLimit else { throw .full }
      state.waiters.append(waiter)
    }
    let end = MonotonicTime.now + deadline
    var isNeeded = true
    while isNeeded, MonotonicTime.now < end {
      let resource = waiter.wait(until: min(end, .now + Self.checkInterval)) { $0 }
      if let resource { return resource }
      isNeeded = !isAbandoned()
    }
    return try state.withLock { [isNeeded] state throws(QueueRefusal) in
      // The waiter may have received a resource in the meantime.
      if let resource = waiter.withLock({ $0 }) { return resource }
      state.waiters.removeAll { $0 === waiter }
      throw isNeeded ? .expired : .abandoned
    }
  }

  /// Returns a resource to the first waiting thread, or to the free resources.
  private func release(_ resource: Resource) {
    state.withLock { state in
      guard !state.waiters.isEmpty else { return state.free.append(resource) }
      state.waiters.removeFirst().update { $0 = resource }
    }
  }
}

/// The reason that no resource was lent to a thread.
package enum QueueRefusal: Error, Hashable, Sendable {
  /// The queue is full.
  case full
  /// No resource was free before the queue deadline.
  case expired
  /// The thread no longer needs a resource.
  case abandoned
}
