import LqipSystem

/// A monitor that closes overdue connections and evicts others at the connection limit.
///
/// Each phase of a request has an absolute deadline, because a client that sends one byte per
/// second is never idle. The reaper only shuts down the socket; the connection's thread then finds
/// it closed.
final class DeadlineReaper: Sendable {
  typealias Phase = TrackedConnection.Phase
  typealias Cut = TrackedConnection.Cut

  private struct State {
    var connections: [Int32: TrackedConnection] = [:]
    /// The number of connections that the reaper has not closed.
    var openCount = 0
    var isDraining = false
    var isStopped = false

    /// The time limit for an idle connection while the server drains; nil if it does not drain.
    var drainDeadline: Duration? { isDraining ? DeadlineReaper.drainDeadline : nil }
  }

  /// The interval between two checks of the deadlines.
  private static let interval = Duration.milliseconds(100)
  /// The maximum wait of a new connection for the threads of evicted connections.
  ///
  /// These threads usually end within milliseconds.
  private static let evictionTimeout = Duration.milliseconds(500)
  /// The maximum wait for the threads of closed connections.
  private static let closeTimeout = Duration.seconds(5)
  /// The time limit for an idle connection to send a request once the server drains.
  private static let drainDeadline = Duration.milliseconds(500)

  private let state = Monitor(State())
  private let limits: ServerLimits
  private let report: @Sendable (Cut) -> Void

  /// Creates a reaper without connections.
  ///
  /// The reaper calls `report` with the reason when it closes a connection. It holds the lock
  /// during the call, so `report` must not call the reaper.
  init(_ limits: ServerLimits, report: @escaping @Sendable (Cut) -> Void = { _ in }) {
    self.limits = limits
    self.report = report
  }

  /// Tracks a new connection by its socket, and evicts others at the connection limit.
  ///
  /// The accepting thread calls this method, so the method waits only if libmicrohttpd would
  /// otherwise refuse the next connection: the library counts a closed connection until its thread
  /// has ended.
  func add(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      if state.openCount >= limits.connectionCount {
        // Evict several at once, so that the connections are not sorted again for each new one.
        let excess = state.openCount - limits.connectionCount
        let others = TrackedConnection.order(
          toMakeWay: state.connections, at: now, sparingNew: false)
        for other in others.prefix(excess + max(1, limits.connectionCount / 32)) {
          cut(other, .crowded, in: &state)
        }
      }
      state.connections[descriptor] = TrackedConnection(
        at: now, limit: state.drainDeadline ?? limits.headDeadline)
      state.openCount += 1
    }
    let maximum = limits.connectionCount + limits.spareConnectionCount - 1
    _ = state.wait(until: now + Self.evictionTimeout) { state -> Bool? in
      let count = state.connections.count
      return count <= maximum || count == state.openCount ? true : nil
    }
  }

  /// Stops tracking a connection that is about to close.
  ///
  /// - Returns: Whether it closes before any request, although the reaper did not close it and the
  ///   server does not drain.
  @discardableResult
  func remove(_ descriptor: Int32) -> Bool {
    state.update { state in
      guard let connection = state.connections.removeValue(forKey: descriptor) else { return false }
      if connection.cut == nil { state.openCount -= 1 }
      return connection.isFresh && connection.cut == nil && !state.isDraining
    }
  }

  /// Starts a phase and its deadline.
  func enter(_ phase: Phase, _ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      let drainDeadline = state.drainDeadline
      state.connections[descriptor]?.enter(phase, at: now, limits, lastCall: drainDeadline)
    }
  }

  /// Counts received bytes of a body.
  func progress(_ byteCount: Int, _ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { $0.connections[descriptor]?.progress(byteCount, at: now) }
  }

  /// Stops the deadline of a connection that waits for memory.
  ///
  /// If another upload is slow, the slowest one is evicted to release its memory.
  func pause(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.connections[descriptor]?.pause(at: now)
      let bodies = state.connections.lazy.filter { $0.value.phase == .body }
      guard let other = TrackedConnection.order(toMakeWay: bodies, at: now).first else { return }
      cut(other, .crowded, in: &state)
    }
  }

  /// Resumes the deadline of a connection.
  func resume(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { $0.connections[descriptor]?.resume(at: now) }
  }

  /// Returns the reason why the reaper closed a connection; nil if it did not.
  func cut(of descriptor: Int32) -> Cut? {
    state.withLock { $0.connections[descriptor]?.cut }
  }

  /// Whether connections close after their current response.
  var isDraining: Bool {
    state.withLock(\.isDraining)
  }

  /// Closes idle connections and waits for requests in flight.
  ///
  /// - Returns: Whether all connections closed within the grace period.
  func drain(grace: Duration) -> Bool {
    startDraining()
    let drained = state.wait(until: .now + grace) { $0.connections.isEmpty ? true : nil }
    return drained ?? false
  }

  /// Lets each connection complete only its current request.
  func startDraining() {
    let now = ContinuousClock.now
    state.update { state in
      state.isDraining = true
      for (descriptor, connection) in state.connections where connection.phase == .waiting {
        state.connections[descriptor]?.deadline = min(connection.deadline, now + Self.drainDeadline)
      }
    }
  }

  /// Closes all connections and waits for their threads, up to a time limit.
  func cutAll() {
    state.withLock { state in
      for (descriptor, connection) in state.connections where connection.cut == nil {
        cut(descriptor, .draining, in: &state)
      }
    }
    _ = state.wait(until: .now + Self.closeTimeout) { $0.connections.isEmpty ? true : nil }
  }

  /// Makes `run()` return.
  func stop() {
    state.update { $0.isStopped = true }
  }

  /// Enforces the deadlines until `stop()` is called.
  func run() {
    while true {
      let stopped = state.wait(until: .now + Self.interval) { $0.isStopped ? true : nil }
      if stopped != nil { return }
      let now = ContinuousClock.now
      state.withLock { state in
        let isDraining = state.isDraining
        for (descriptor, connection) in state.connections
        where connection.isOverdue(at: now) {
          cut(descriptor, connection.reason(isDraining: isDraining), in: &state)
        }
      }
    }
  }

  /// Shuts down the socket of a connection.
  ///
  /// The caller holds the lock; otherwise, the descriptor could already belong to another
  /// connection.
  private func cut(_ descriptor: Int32, _ reason: Cut, in state: inout State) {
    let phase = state.connections[descriptor]?.phase
    state.connections[descriptor]?.cut = reason
    state.openCount -= 1
    report(reason)
    // libmicrohttpd writes nothing until the body is complete, so the reaper sends the response.
    if phase == .head || phase == .body, let problem = reason.problem {
      RawSocket.send(problem, to: descriptor)
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// The state of a connection that determines its deadline and its eviction.
struct TrackedConnection: Sendable {
  /// The phase of a connection.
  enum Phase: Hashable, Sendable {
    /// Idle: waiting for a request line.
    case waiting
    case head, body
    /// Waiting for memory, with the body partially received.
    case paused
    /// Waiting for the response to be computed.
    case answer
    /// Receiving the response.
    case sending
  }

  /// The reason why the server closed a connection.
  enum Cut: String, Hashable, Sendable {
    case idle
    case slowHead = "slow_head"
    case slowBody = "slow_body"
    case slowAnswer = "slow_answer"
    /// Evicted while idle or slow, to make room for another connection or body.
    case crowded
    case draining
    /// Closed without a response, because no valid request line arrived.
    case malformed

    /// The problem to send for an incomplete request; nil if none is sent.
    var problem: Problem? {
      switch self {
      case .idle, .slowHead, .slowBody, .malformed:
        Problem(status: 408, code: "slow_client", detail: "the request took too long to arrive")
      case .crowded: .busy("too many clients; this connection was dropped")
      case .draining, .slowAnswer: nil
      }
    }
  }

  /// The interval over which the upload speed is measured.
  ///
  /// A request never counts as slow during its first interval.
  static let window = Duration.seconds(1)
  /// The minimum upload speed that protects a body from eviction, in bytes per second.
  static let worthyPace = 128.0 * 1024

  private(set) var phase = Phase.waiting
  /// Whether no request has arrived yet.
  private(set) var isFresh = true
  private(set) var since: ContinuousClock.Instant
  var deadline: ContinuousClock.Instant
  var cut: Cut?
  private var requestDeadline: ContinuousClock.Instant
  private var windowStart: ContinuousClock.Instant
  private var windowByteCount = 0
  private var lastPace = 0.0
  private var pauseStart: ContinuousClock.Instant

  /// Creates the state of a new connection.
  init(at now: ContinuousClock.Instant, limit: Duration) {
    since = now
    deadline = now + limit
    requestDeadline = deadline
    windowStart = now
    pauseStart = now
  }

  /// Starts a phase and its deadline.
  ///
  /// - Parameters:
  ///   - phase: The new phase.
  ///   - now: The current time.
  ///   - limits: The deadlines of the phases.
  ///   - lastCall: The time limit for an idle connection while the server drains; nil if it does
  ///     not drain.
  mutating func enter(
    _ phase: Phase, at now: ContinuousClock.Instant, _ limits: ServerLimits, lastCall: Duration?
  ) {
    self.phase = phase
    isFresh = false
    since = now
    switch phase {
    case .waiting:
      deadline = now + (lastCall ?? limits.idleDeadline)
    case .head:
      requestDeadline = now + limits.requestDeadline
      deadline = min(requestDeadline, now + limits.headDeadline)
    case .body:
      deadline = min(requestDeadline, now + limits.bodyDeadline)
      (windowStart, windowByteCount, lastPace) = (now, 0, 0)
    case .paused, .answer, .sending:
      deadline = requestDeadline
    }
  }

  /// Stops the deadline, because the client is not the cause of the delay.
  mutating func pause(at now: ContinuousClock.Instant) {
    (phase, pauseStart) = (.paused, now)
  }

  /// Resumes the deadline of a body where it stopped.
  mutating func resume(at now: ContinuousClock.Instant) {
    phase = .body
    let pause = now - pauseStart
    since += pause
    deadline += pause
    requestDeadline += pause
    windowStart += pause
  }

  /// Returns whether the deadline has passed.
  func isOverdue(at now: ContinuousClock.Instant) -> Bool {
    cut == nil && phase != .paused && deadline <= now
  }

  /// Counts received bytes of the body.
  mutating func progress(_ byteCount: Int, at now: ContinuousClock.Instant) {
    windowByteCount += byteCount
    guard now - windowStart >= Self.window else { return }
    lastPace = Double(windowByteCount) / ((now - windowStart) / .seconds(1))
    (windowStart, windowByteCount) = (now, 0)
  }

  /// Returns the recent upload speed in bytes per second.
  func pace(at now: ContinuousClock.Instant) -> Double {
    let elapsed = now - windowStart
    return elapsed < Self.window
      ? max(lastPace, Double(windowByteCount))
      : min(lastPace, Double(windowByteCount) / (elapsed / .seconds(1)))
  }

  /// Returns whether the connection may be evicted: it is idle, or its request is slow.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - sparesNew: Whether to spare requests during their first second.
  /// - Returns: Whether the connection may be evicted.
  func canMakeWay(at now: ContinuousClock.Instant, sparingNew sparesNew: Bool = true) -> Bool {
    guard cut == nil else { return false }
    let isOld = !sparesNew || now - since >= Self.window
    return switch phase {
    case .waiting: true
    case .answer, .paused: false
    case .head, .sending: isOld
    case .body: isOld && pace(at: now) < Self.worthyPace
    }
  }

  /// Returns the reason for closing an overdue connection.
  func reason(isDraining: Bool) -> Cut {
    switch phase {
    case .waiting: isDraining ? .draining : .idle
    case .head: .slowHead
    case .body, .paused: .slowBody
    case .answer, .sending: .slowAnswer
    }
  }

  /// Returns the connections that may be evicted, the first candidate first.
  ///
  /// Idle connections come first, because their clients only have to reconnect. Slow requests
  /// follow, the slowest first; a request without any body bytes is the slowest. New connections
  /// come last, because their requests may be in transit.
  static func order(
    toMakeWay connections: some Sequence<(key: Int32, value: TrackedConnection)>,
    at now: ContinuousClock.Instant, sparingNew sparesNew: Bool = true
  ) -> [Int32] {
    connections.filter { $0.value.canMakeWay(at: now, sparingNew: sparesNew) }
      .map { (key: $0.key, rank: $0.value.rank(at: now)) }
      .sorted { $0.rank < $1.rank }.map(\.key)
  }

  /// Returns the eviction rank of a connection: its upload speed, then the start of its phase.
  ///
  /// The speed of an idle connection counts as negative, that of a new connection as infinite.
  private func rank(at now: ContinuousClock.Instant) -> (Double, ContinuousClock.Instant) {
    switch phase {
    case .waiting: (isFresh && now - since < Self.window ? .infinity : -1, since)
    case .body: (pace(at: now), since)
    case .head, .paused, .answer, .sending: (0, since)
    }
  }
}
