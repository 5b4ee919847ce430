import LqipSystem

/// Closes overdue connections, and evicts connections when the server is full.
///
/// Each phase of a request has an absolute time limit, because a client that sends one byte per second is never idle.
/// The reaper only shuts down the socket. The connection's thread then responds if a request is incomplete, closes the
/// socket and calls ``remove(_:)``.
final class DeadlineReaper: Sendable {
  private struct State {
    var connections: [Int32: TrackedConnection] = [:]
    /// The connections that the reaper has shut down and that their threads have not closed yet.
    var closing: [Int32: CloseReason] = [:]
    /// The acceptance times of connections that the daemon is about to start, by descriptor.
    var starting: [Int32: MonotonicTime] = [:]
    var drainStart: MonotonicTime?
    var lastCheck = MonotonicTime.now

    /// The number of places that connections take.
    var placeCount: Int { connections.count + closing.count }
  }

  /// The interval between two checks of the time limits.
  private static let interval = Duration.milliseconds(100)
  /// The time between two checks after which the process counts as suspended; that time counts toward no limit.
  private static let suspensionThreshold = Duration.seconds(1)
  /// The maximum number of connections that the daemon starts concurrently.
  ///
  /// The daemon starts connections in the order in which it receives them, so a new client waits for all of them.
  private static let startingLimit = 8
  /// The maximum wait for a place before new connections are accepted again.
  private static let placeTimeout = Duration.milliseconds(1)
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
      let elapsed = state.lastCheck.duration(to: now)
      state.lastCheck = now
      if elapsed > Self.suspensionThreshold {
        for descriptor in state.connections.keys {
          state.connections[descriptor]?.extendLimits(by: elapsed)
        }
      }
      for (descriptor, connection) in state.connections {
        if let reason = connection.overdueReason(at: now, limits, drainStart: state.drainStart) {
          close(descriptor, reason, in: &state)
        }
      }
    }
  }

  enum Reservation {
    case reserved
    /// No place is free, but other connections are starting or closing, which takes milliseconds.
    case occupiedBriefly
    case occupied
  }

  /// Reserves a place for a connection that is about to start, waiting for one if necessary.
  func reservePlace(for descriptor: Int32, acceptedAt time: MonotonicTime) -> Reservation {
    let reservation = state.wait(until: .now + Self.placeTimeout) { state -> Reservation? in
      guard state.starting.count < Self.startingLimit,
        state.placeCount + state.starting.count < placeCount
      else { return state.connections.count >= placeCount ? .occupied : nil }
      state.starting[descriptor] = time
      return .reserved
    }
    return reservation ?? .occupiedBriefly
  }

  /// The number of places that are neither reserved nor taken by a connection.
  var freePlaceCount: Int { placeCount - state.withLock { $0.placeCount + $0.starting.count } }

  /// The maximum number of connections, including those that are closing.
  private var placeCount: Int { limits.connectionCount + limits.spareConnectionCount }

  /// Tracks a new connection by its socket, in its reserved place, and evicts connections above the limit.
  func add(_ descriptor: Int32) {
    let now = MonotonicTime.now
    state.update { state in
      let accepted = state.starting.removeValue(forKey: descriptor) ?? now
      state.connections[descriptor] = TrackedConnection(at: accepted)
      let excess = state.connections.count - limits.connectionCount
      guard excess > 0 else { return }
      // Evict several at once, so that the connections are not sorted again for each new one.
      let count = excess - 1 + max(1, limits.connectionCount / 32)
      evict(count, from: state.connections, at: now, in: &state)
    }
  }

  /// Releases the place of a connection that is about to close or did not start; returns whether it closes without a
  /// request, although neither the reaper nor a shutdown closed it.
  @discardableResult
  func remove(_ descriptor: Int32) -> Bool {
    state.update { state in
      state.starting[descriptor] = nil
      state.closing[descriptor] = nil
      let connection = state.connections.removeValue(forKey: descriptor)
      return connection?.awaitsFirstRequest ?? false && state.drainStart == nil
    }
  }

  /// Starts a phase of a connection.
  ///
  /// If a body waits for memory while other uploads are slow, the slowest upload is evicted to release its memory.
  func enter(_ phase: TrackedConnection.Phase, _ descriptor: Int32) {
    let now = MonotonicTime.now
    state.withLock { state in
      state.connections[descriptor]?.enter(phase, at: now)
      guard phase == .paused else { return }
      let bodies = state.connections.filter { $0.value.phase == .body && !$0.value.isNew(at: now) }
      evict(1, from: bodies, at: now, in: &state)
    }
  }

  /// Counts received bytes of a body, and returns whether the connection is still open.
  func progress(_ byteCount: Int, _ descriptor: Int32) -> Bool {
    state.withLock { $0.connections[descriptor]?.progress(byteCount, at: .now) } != nil
  }

  /// The reason that the reaper closed a connection; `nil` if it did not.
  func closeReason(of descriptor: Int32) -> CloseReason? {
    state.withLock { $0.closing[descriptor] }
  }

  /// Whether each connection closes after its current request.
  var isDraining: Bool { state.withLock { $0.drainStart != nil } }

  func startDraining() { state.withLock { $0.drainStart = $0.drainStart ?? .now } }

  /// Waits for all connections to close, and returns whether they closed in time.
  func waitUntilEmpty(within time: Duration) -> Bool {
    state.wait(until: .now + time) { $0.placeCount == 0 ? true : nil } ?? false
  }

  /// Closes all connections and waits for their threads, up to a time limit.
  func closeAll() {
    state.withLock { state in
      for descriptor in state.connections.keys { close(descriptor, .draining, in: &state) }
    }
    _ = waitUntilEmpty(within: Self.closeTimeout)
  }

  private func evict(
    _ count: Int, from connections: [Int32: TrackedConnection], at now: MonotonicTime,
    in state: inout State
  ) {
    for descriptor in TrackedConnection.evictionOrder(of: connections, at: now).prefix(count) {
      close(descriptor, .crowded, in: &state)
    }
  }

  /// Shuts down the socket of a connection.
  ///
  /// If a request is incomplete, only the receiving side is shut down. The connection's thread then reads the end of
  /// the input and sends the response. libmicrohttpd writes to the socket on the same thread, so the response is not
  /// interleaved with other output such as `100 Continue`.
  ///
  /// The caller must hold the lock; otherwise, the descriptor could already belong to another connection.
  private func close(_ descriptor: Int32, _ reason: CloseReason, in state: inout State) {
    let phase = state.connections.removeValue(forKey: descriptor)?.phase
    state.closing[descriptor] = reason
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
  /// Closed to make room for another connection or body.
  case crowded
  case draining
  /// Closed without a response, because no valid request line arrived.
  case malformed

  /// The problem to send for an incomplete request; `nil` if none is sent.
  var problem: Problem? {
    switch self {
    case .slowHead, .slowBody:
      Problem(status: 408, code: "slow_client", detail: "the request took too long to arrive")
    case .crowded: .busy("too many clients; this connection was dropped")
    case .idle, .slowAnswer, .draining, .malformed: nil
    }
  }
}

/// The state of a connection that determines its time limit and its eviction.
struct TrackedConnection: Sendable {
  enum Phase: Hashable, Sendable {
    /// Idle: waiting for a request line.
    case waiting
    case head, body
    /// Waiting for memory, with the body partially received.
    case paused
    /// Computing the response.
    case response
    case sending
  }

  /// The time constant of the exponential average that measures the upload speed.
  ///
  /// A phase is new until this time has passed.
  static let window = Duration.seconds(1)
  /// The minimum upload speed that protects a body from eviction, in bytes per second.
  private static let protectedSpeed = 128.0 * 1024
  /// The time limit for an idle connection to send a request once the server starts draining.
  private static let drainTimeout = Duration.milliseconds(500)

  private(set) var phase = Phase.waiting
  private(set) var phaseStart: MonotonicTime
  /// The arrival of the latest request line, if any.
  private var requestStart: MonotonicTime?
  /// The start of the latest request; that of a first request is the acceptance of the connection.
  ///
  /// A new client whose thread has not run yet is thus evicted after all clients that connected earlier.
  private var activeSince: MonotonicTime
  /// The number of body bytes at `lastProgress`, with exponentially decreasing weights for older bytes.
  private var recentByteCount = 0.0
  private var lastProgress: MonotonicTime

  init(at now: MonotonicTime) {
    phaseStart = now
    activeSince = now
    lastProgress = now
  }

  var awaitsFirstRequest: Bool { requestStart == nil }

  /// Returns whether the phase began less than `window` ago.
  func isNew(at now: MonotonicTime) -> Bool { now - phaseStart < Self.window }

  /// Starts a phase and its time limit; after a wait for memory, the time limit of the body starts again.
  mutating func enter(_ phase: Phase, at now: MonotonicTime) {
    self.phase = phase
    phaseStart = now
    guard phase == .head else { return }
    if requestStart != nil { activeSince = now }
    requestStart = now
  }

  /// Returns the reason to close the connection; `nil` if no time limit has passed.
  func overdueReason(
    at now: MonotonicTime, _ limits: ServerLimits, drainStart: MonotonicTime?
  ) -> CloseReason? {
    let requestEnd = (requestStart ?? phaseStart) + limits.requestTimeout
    let (end, reason): (MonotonicTime, CloseReason)
    switch phase {
    case .waiting:
      if let drainStart {
        (end, reason) = (max(phaseStart, drainStart) + Self.drainTimeout, .draining)
      } else {
        let timeout = awaitsFirstRequest ? limits.headTimeout : limits.idleTimeout
        (end, reason) = (phaseStart + timeout, .idle)
      }
    case .head: (end, reason) = (min(requestEnd, phaseStart + limits.headTimeout), .slowHead)
    case .body: (end, reason) = (min(requestEnd, phaseStart + limits.bodyTimeout), .slowBody)
    case .paused: return nil
    case .response, .sending: (end, reason) = (requestEnd, .slowAnswer)
    }
    return end <= now ? reason : nil
  }

  /// Extends the time limits after the process was suspended.
  mutating func extendLimits(by time: Duration) {
    phaseStart += time
    requestStart = requestStart.map { $0 + time }
  }

  mutating func progress(_ byteCount: Int, at now: MonotonicTime) {
    recentByteCount = speed(at: now) + Double(byteCount)
    lastProgress = now
  }

  /// The recent upload speed in bytes per second.
  private func speed(at now: MonotonicTime) -> Double {
    recentByteCount * exp(-((now - lastProgress) / Self.window))
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
    switch phase {
    case .paused, .response: return nil
    case .body where speed(at: now) >= Self.protectedSpeed: return nil
    case .waiting where !awaitsFirstRequest: return -1
    case _ where isNew(at: now): return .infinity
    case .waiting: return -1
    case .head, .sending: return 0
    case .body: return speed(at: now)
    }
  }
}
