internal import LqipFiles

/// Cuts the connections whose time is up or whose place is needed.
///
/// A client that sends a byte a second is never inactive, so each phase of a request has an absolute
/// deadline. A connection is cut by shutting down its socket; its own thread then finds it closed.
final class DeadlineReaper: Sendable {
  typealias Phase = TrackedConnection.Phase
  typealias Cut = TrackedConnection.Cut

  private struct State {
    var connections: [Int32: TrackedConnection] = [:]
    /// How many of them are not cut.
    var keptCount = 0
    var isDraining = false
    var isStopped = false

    /// How long a connection may wait for a request, if the server drains.
    var lastCall: Duration? { isDraining ? DeadlineReaper.lastCall : nil }
  }

  /// How often deadlines are looked at.
  private static let interval = Duration.milliseconds(100)
  /// The most that a new connection waits for the threads of those that were cut, which end within
  /// milliseconds.
  private static let gracePeriod = Duration.milliseconds(500)
  /// How long connections that were cut may take to close.
  private static let farewell = Duration.seconds(5)
  /// How long a connection may still bring a request once the server drains.
  private static let lastCall = Duration.milliseconds(500)

  private let state = Monitor(State())
  private let limits: ServerLimits
  private let observers: [any ServerObserver]

  init(_ limits: ServerLimits, observers: [any ServerObserver]) {
    self.limits = limits
    self.observers = observers
  }

  /// Watches a new connection, by its socket, and cuts others until the limit holds.
  ///
  /// Threads that accept connections call it, so it waits only where the library would close the next
  /// connection, because those that were cut count there until their threads have ended.
  func add(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      while state.keptCount >= limits.connectionCount,
        let other = TrackedConnection.first(
          toMakeWay: state.connections, at: now, sparingNew: false)
      {
        cut(other, .crowded, in: &state)
      }
      state.connections[descriptor] = TrackedConnection(
        at: now, limit: state.lastCall ?? limits.headDeadline)
      state.keptCount += 1
    }
    let most = limits.connectionCount + limits.spareConnectionCount - 1
    _ = state.wait(until: now + Self.gracePeriod) { state -> Bool? in
      state.connections.count <= most || state.connections.count == state.keptCount ? true : nil
    }
  }

  /// Forgets a connection that is about to be closed.
  ///
  /// - Returns: Whether it was neither cut nor ever had a request.
  @discardableResult
  func remove(_ descriptor: Int32) -> Bool {
    state.update { state in
      guard let connection = state.connections.removeValue(forKey: descriptor) else { return false }
      if connection.cut == nil { state.keptCount -= 1 }
      return connection.isFresh && connection.cut == nil && !state.isDraining
    }
  }

  /// Starts the time of another phase.
  func enter(_ phase: Phase, _ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      let lastCall = state.lastCall
      state.connections[descriptor]?.enter(phase, at: now, limits, lastCall: lastCall)
    }
  }

  /// Counts bytes of a body.
  func progress(_ byteCount: Int, _ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { $0.connections[descriptor]?.progress(byteCount, at: now) }
  }

  /// Cuts the slowest of the bodies that are under way, if one is slow, for the memory that it holds.
  ///
  /// - Parameter descriptor: The connection that needs the memory, which is spared.
  func cutSlowestBody(for descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      let bodies = state.connections.lazy.filter { $0.value.phase == .body && $0.key != descriptor }
      guard let other = TrackedConnection.first(toMakeWay: bodies, at: now) else { return }
      cut(other, .crowded, in: &state)
    }
  }

  /// Why a connection was cut, if it was.
  func cut(of descriptor: Int32) -> Cut? {
    state.withLock { $0.connections[descriptor]?.cut }
  }

  /// Whether connections are to be closed after their response.
  var isDraining: Bool {
    state.withLock(\.isDraining)
  }

  /// Lets requests under way finish, and no connection wait for another.
  ///
  /// - Returns: Whether all connections were closed before the grace was over.
  func drain(grace: Duration) -> Bool {
    startDraining()
    let drained = state.wait(until: .now + grace) { $0.connections.isEmpty ? true : nil }
    return drained ?? false
  }

  /// Lets each connection finish no more than the request that it is in.
  func startDraining() {
    let now = ContinuousClock.now
    state.update { state in
      state.isDraining = true
      for (descriptor, connection) in state.connections where connection.phase == .waiting {
        state.connections[descriptor]?.deadline = min(connection.deadline, now + Self.lastCall)
      }
    }
  }

  /// Cuts all connections, and waits for a while until they are closed.
  func cutAll() {
    state.withLock { state in
      for (descriptor, connection) in state.connections where connection.cut == nil {
        cut(descriptor, .draining, in: &state)
      }
    }
    _ = state.wait(until: .now + Self.farewell) { $0.connections.isEmpty ? true : nil }
  }

  /// Ends `run`.
  func stop() {
    state.update { $0.isStopped = true }
  }

  /// Watches until the reaper is stopped.
  func run() {
    while true {
      let stopped = state.wait(until: .now + Self.interval) { $0.isStopped ? true : nil }
      if stopped != nil { return }
      let now = ContinuousClock.now
      state.withLock { state in
        let isDraining = state.isDraining
        for (descriptor, connection) in state.connections
        where connection.deadline <= now && connection.cut == nil {
          cut(descriptor, connection.reason(isDraining: isDraining), in: &state)
        }
      }
    }
  }

  /// Shuts down a socket; the lock is held, so that it is not yet another connection's.
  private func cut(_ descriptor: Int32, _ reason: Cut, in state: inout State) {
    let phase = state.connections[descriptor]?.phase
    state.connections[descriptor]?.cut = reason
    state.keptCount -= 1
    for observer in observers { observer.connectionCut(reason) }
    // Until the body is whole the library writes nothing, and there is a request to answer.
    if phase == .head || phase == .body {
      RawResponse.slowClient.send(to: descriptor)
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
