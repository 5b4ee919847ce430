import LqipSystem

/// Closes overdue connections, and evicts connections when the server is full.
///
/// Each phase of a request has an absolute time limit, because a client that sends one byte per second is never idle.
/// The reaper only shuts down the socket. The connection's thread then responds if a request is incomplete, closes the
/// socket and calls ``remove(_:)``.
final class DeadlineReaper: Sendable {
  private struct State {
    /// The accepted connections that their threads have not closed yet, by descriptor.
    var connections: [Int32: TrackedConnection] = [:]
    var drainStart: MonotonicTime?
    var lastCheck = MonotonicTime.now
  }

  /// The interval between two checks of the time limits.
  private static let interval = Duration.milliseconds(100)
  /// The time between two checks after which the process counts as suspended; that time counts toward no limit.
  private static let suspensionThreshold = Duration.seconds(1)
  /// The maximum time that a new connection waits for a place.
  private static let placeTimeout = Duration.milliseconds(100)
  /// The maximum wait for the threads of closed connections.
  private static let closeTimeout = Duration.seconds(5)

  private let state = Monitor(State())
  private let limits: ServerLimits
  private let metrics: Metrics

  init(_ limits: ServerLimits, _ metrics: Metrics) {
    self.limits = limits
    self.metrics = metrics
  }

  /// Starts the thread that enforces the time limits for the lifetime of the reaper.
  func start() throws(SystemError) {
    try SystemThread.start { [weak self] in
      while let reaper = self { reaper.closeOverdue() }
    }
  }

  private func closeOverdue() {
    SystemThread.sleep(for: Self.interval)
    let now = MonotonicTime.now
    state.withLock { state in
      let elapsed = now - state.lastCheck
      state.lastCheck = now
      for (descriptor, connection) in state.connections {
        if elapsed > Self.suspensionThreshold {
          state.connections[descriptor]?.extendLimits(by: elapsed)
        } else if let reason = connection.overdueReason(
          at: now, limits, drainStart: state.drainStart)
        {
          close(descriptor, reason, in: &state)
        }
      }
    }
  }

  /// Reserves a place for an accepted connection; if all are taken, evicts others and waits for their threads.
  ///
  /// Returns false if no place becomes free in time.
  func reservePlace(for descriptor: Int32) -> Bool {
    let now = MonotonicTime.now
    // Several are evicted at once, so that the connections are not sorted again for each new one.
    let evictionCount = max(1, limits.connectionCount / 32)
    let isReserved = state.wait(until: now + Self.placeTimeout) { state -> Bool? in
      if state.connections.count < limits.connectionCount {
        state.connections[descriptor] = TrackedConnection(at: now)
        return true
      }
      let closingCount = state.connections.values.count { $0.closeReason != nil }
      guard closingCount < evictionCount else { return nil }
      let evictedCount = evict(evictionCount, at: now, in: &state)
      // A connection whose thread does not run yet can be evicted soon.
      let isStarting = state.connections.values.contains { $0.phase == .starting }
      return closingCount + evictedCount > 0 || isStarting ? nil : false
    }
    return isReserved ?? false
  }

  /// Starts the time limits of a connection with a reserved place; from now on, it can be closed.
  func begin(_ descriptor: Int32) {
    // A waiting `reservePlace(for:)` may evict the connection.
    state.update { $0.connections[descriptor]?.enter(.waiting, at: .now) }
  }

  /// Releases the place of a connection that is about to close or did not start; returns whether it closes without a
  /// request, although neither the reaper nor a shutdown closed it.
  @discardableResult
  func remove(_ descriptor: Int32) -> Bool {
    state.update { state in
      guard let connection = state.connections.removeValue(forKey: descriptor) else { return false }
      return connection.isOpen && connection.awaitsFirstRequest && state.drainStart == nil
    }
  }

  /// Starts a phase of a connection.
  func enter(_ phase: TrackedConnection.Phase, _ descriptor: Int32) {
    state.withLock { $0.connections[descriptor]?.enter(phase, at: .now) }
  }

  /// Counts received bytes of a body, and returns whether the connection is still open.
  func progress(_ byteCount: Int, _ descriptor: Int32) -> Bool {
    state.withLock { state in
      state.connections[descriptor]?.bodyByteCount += byteCount
      return state.connections[descriptor]?.isOpen ?? false
    }
  }

  /// The reason that the reaper closed a connection; `nil` if it did not.
  func closeReason(of descriptor: Int32) -> CloseReason? {
    state.withLock { $0.connections[descriptor]?.closeReason }
  }

  /// The number of open connections, including those that are closing.
  var connectionCount: Int { state.withLock(\.connections.count) }

  /// Whether each connection closes after its current request.
  var isDraining: Bool { state.withLock { $0.drainStart != nil } }

  func startDraining() { state.withLock { $0.drainStart = $0.drainStart ?? .now } }

  /// Waits for all connections to close, and returns whether they closed in time.
  func waitUntilEmpty(within time: Duration) -> Bool {
    state.wait(until: .now + time) { $0.connections.isEmpty ? true : nil } ?? false
  }

  /// Closes all connections and waits for their threads, up to a time limit.
  func closeAll() {
    state.withLock { state in
      for (descriptor, connection) in state.connections where connection.isOpen {
        close(descriptor, .draining, in: &state)
      }
    }
    _ = waitUntilEmpty(within: Self.closeTimeout)
  }

  /// Evicts up to `count` connections, and returns how many.
  private func evict(_ count: Int, at now: MonotonicTime, in state: inout State) -> Int {
    let order = TrackedConnection.evictionOrder(of: state.connections, at: now).prefix(count)
    for descriptor in order { close(descriptor, .crowded, in: &state) }
    return order.count
  }

  /// Shuts down the socket of a connection.
  ///
  /// If a request is incomplete, only the receiving side is shut down. The connection's thread then reads the end of
  /// the input and sends the response. libmicrohttpd writes to the socket on the same thread, so the response is not
  /// interleaved with other output such as `100 Continue`.
  ///
  /// The caller must hold the lock; otherwise, the descriptor could already belong to another connection.
  private func close(_ descriptor: Int32, _ reason: CloseReason, in state: inout State) {
    let phase = state.connections[descriptor]?.phase
    state.connections[descriptor]?.closeReason = reason
    metrics.count { $0.closedConnections[reason, default: 0] += 1 }
    let isIncomplete = (phase == .head || phase == .body) && reason.problem != nil
    shutdown(descriptor, Int32(isIncomplete ? SHUT_RD : SHUT_RDWR))
  }
}

/// The reason that the server closed a connection.
enum CloseReason: String, Hashable, Sendable {
  case idle
  case slowHead = "slow_head"
  case slowBody = "slow_body"
  case slowAnswer = "slow_answer"
  /// Closed to make room for another connection.
  case crowded
  case draining
  /// Closed without a response, because no valid request line arrived.
  case malformed
  /// Closed, because the system could not start its thread.
  case noThread = "no_thread"

  /// The problem to send for an incomplete request; `nil` if none is sent.
  var problem: Problem? {
    switch self {
    case .slowHead, .slowBody:
      Problem(status: 408, code: "slow_client", detail: "the request took too long to arrive")
    case .crowded: .busy("too many clients; this connection was dropped")
    case .idle, .slowAnswer, .draining, .malformed, .noThread: nil
    }
  }
}

/// The state of a connection that determines its time limit and its eviction.
struct TrackedConnection: Sendable {
  enum Phase: Hashable, Sendable {
    /// Accepted: the thread does not run yet.
    case starting
    /// Idle: waiting for a request line.
    case waiting
    case head, body
    /// Computing the response.
    case response
    case sending
  }

  /// The time after which a phase is no longer new.
  static let newTime = Duration.seconds(1)
  /// The minimum upload speed that protects a body from eviction, in bytes per second.
  private static let protectedSpeed = 128.0 * 1024
  /// The time limit for an idle connection to send a request once the server starts draining.
  private static let drainTimeout = Duration.milliseconds(500)

  fileprivate var phase = Phase.starting
  /// The reason that the reaper has shut down the connection; `nil` if it has not.
  var closeReason: CloseReason?
  private(set) var phaseStart: MonotonicTime
  /// The arrival of the latest request line, if any.
  private var requestStart: MonotonicTime?
  /// The start of the latest request; that of a first request is the acceptance of the connection.
  ///
  /// A new client whose thread has not run yet is thus evicted after all clients that connected earlier.
  private var activeSince: MonotonicTime
  /// The number of body bytes of the latest request.
  var bodyByteCount = 0

  init(at now: MonotonicTime) {
    phaseStart = now
    activeSince = now
  }

  var awaitsFirstRequest: Bool { requestStart == nil }

  /// Whether the reaper can close the connection: its thread runs, and the reaper has not closed it yet.
  var isOpen: Bool { phase != .starting && closeReason == nil }

  /// Starts a phase and its time limit.
  mutating func enter(_ phase: Phase, at now: MonotonicTime) {
    self.phase = phase
    phaseStart = now
    guard phase == .head else { return }
    if requestStart != nil { activeSince = now }
    requestStart = now
    bodyByteCount = 0
  }

  /// Returns the reason to close the connection; `nil` if no time limit has passed.
  func overdueReason(
    at now: MonotonicTime, _ limits: ServerLimits, drainStart: MonotonicTime?
  ) -> CloseReason? {
    guard closeReason == nil else { return nil }
    let requestEnd = (requestStart ?? phaseStart) + limits.requestTimeout
    let (end, reason): (MonotonicTime, CloseReason)
    switch phase {
    case .starting: return nil
    case .waiting:
      if let drainStart {
        (end, reason) = (max(phaseStart, drainStart) + Self.drainTimeout, .draining)
      } else {
        let timeout = awaitsFirstRequest ? limits.headTimeout : limits.idleTimeout
        (end, reason) = (phaseStart + timeout, .idle)
      }
    case .head: (end, reason) = (min(requestEnd, phaseStart + limits.headTimeout), .slowHead)
    case .body: (end, reason) = (min(requestEnd, phaseStart + limits.bodyTimeout), .slowBody)
    case .response, .sending: (end, reason) = (requestEnd, .slowAnswer)
    }
    return end <= now ? reason : nil
  }

  /// Extends the time limits after the process was suspended.
  mutating func extendLimits(by time: Duration) {
    phaseStart += time
    requestStart = requestStart.map { $0 + time }
  }

  /// Returns the connections that may be evicted, in the order of eviction.
  ///
  /// Idle connections come first, because their clients only have to reconnect. Slow requests follow, the slowest
  /// first; requests without any body bytes and responses being sent count as the slowest. New connections and requests
  /// come last, the oldest first, because more of their bytes may be in transit.
  static func evictionOrder(
    of connections: [Int32: TrackedConnection], at now: MonotonicTime
  ) -> [Int32] {
    connections.compactMap { descriptor, connection in
      connection.evictionRank(at: now).map { (descriptor, rank: ($0, connection.activeSince)) }
    }.sorted { $0.rank < $1.rank }.map(\.0)
  }

  /// Returns the eviction rank, lowest first: the upload speed in bytes per second, -1 if idle, infinite if new; `nil`
  /// if the connection must stay open.
  private func evictionRank(at now: MonotonicTime) -> Double? {
    guard closeReason == nil else { return nil }
    let time = now - phaseStart
    let speed = Double(bodyByteCount) / (max(time, Self.newTime) / .seconds(1))
    switch phase {
    case .starting, .response: return nil
    case .body where speed >= Self.protectedSpeed: return nil
    case .waiting where !awaitsFirstRequest: return -1
    case _ where time < Self.newTime: return .infinity
    case .waiting: return -1
    case .head, .sending: return 0
    case .body: return speed
    }
  }
}
