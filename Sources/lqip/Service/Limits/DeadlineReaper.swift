import LqipSystem

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
  private let report: @Sendable (Cut) -> Void

  /// Begins with no connection; the function is told why one is cut, under a lock.
  init(_ limits: ServerLimits, report: @escaping @Sendable (Cut) -> Void = { _ in }) {
    self.limits = limits
    self.report = report
  }

  /// Watches a new connection, by its socket, and cuts others until the limit holds.
  ///
  /// Threads that accept connections call it, so it waits only where the library would close the next
  /// connection, because those that were cut count there until their threads have ended.
  func add(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      if state.keptCount >= limits.connectionCount {
        // A few at a time: a crowd must not be put in order anew for each that joins it.
        let excess = state.keptCount - limits.connectionCount
        let others = TrackedConnection.order(
          toMakeWay: state.connections, at: now, sparingNew: false)
        for other in others.prefix(excess + max(1, limits.connectionCount / 32)) {
          cut(other, .crowded, in: &state)
        }
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

  /// Stops the clock of a connection that waits for memory, and cuts the slowest of the bodies that are under
  /// way, if one is slow, for the memory that it holds.
  func pause(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.connections[descriptor]?.pause(at: now)
      let bodies = state.connections.lazy.filter { $0.value.phase == .body }
      guard let other = TrackedConnection.order(toMakeWay: bodies, at: now).first else { return }
      cut(other, .crowded, in: &state)
    }
  }

  /// Lets the clock of a connection run on.
  func resume(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { $0.connections[descriptor]?.resume(at: now) }
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
        where connection.isOverdue(at: now) {
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
    report(reason)
    // Until the body is whole the library writes nothing, and there is a request to answer.
    if phase == .head || phase == .body, let problem = reason.problem {
      RawSocket.send(problem, to: descriptor)
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// What is known of a connection, so that it is cut when its time is up or its place is needed.
struct TrackedConnection: Sendable {
  /// What a connection is doing.
  enum Phase: Hashable, Sendable {
    /// Waiting for the first line of a request.
    case waiting
    case head, body
    /// Waiting for memory, with a part of its body sent.
    case paused
    /// Waiting for its answer to be worked out.
    case answer
    /// Reading its answer.
    case sending
  }

  /// Why a connection was cut.
  enum Cut: String, Hashable, Sendable {
    case idle
    case slowHead = "slow_head"
    case slowBody = "slow_body"
    case slowAnswer = "slow_answer"
    /// It was idle, or slower than others, and its place was needed.
    case crowded
    case draining
    /// It sent no first line of a request, so that there was nothing to answer.
    case malformed

    /// What a request is answered that did not arrive whole; nil where the cut is not the client's doing.
    var problem: Problem? {
      switch self {
      case .idle, .slowHead, .slowBody, .malformed:
        Problem(status: 408, code: "slow_client", detail: "the request took too long to arrive")
      case .crowded: .busy("too many clients; this connection was dropped")
      case .draining, .slowAnswer: nil
      }
    }
  }

  /// The time over which the pace of a body is measured, and in which no request counts as slow.
  static let window = Duration.seconds(1)
  /// A body that is at least this fast, in bytes a second, is not cut to make room.
  static let worthyPace = 128.0 * 1024

  private(set) var phase = Phase.waiting
  /// Whether no request has come yet.
  private(set) var isFresh = true
  private(set) var since: ContinuousClock.Instant
  var deadline: ContinuousClock.Instant
  var cut: Cut?
  private var requestDeadline: ContinuousClock.Instant
  private var windowStart: ContinuousClock.Instant
  private var windowByteCount = 0
  private var lastPace = 0.0
  private var pauseStart: ContinuousClock.Instant

  /// Begins with a connection from which nothing has come.
  init(at now: ContinuousClock.Instant, limit: Duration) {
    since = now
    deadline = now + limit
    requestDeadline = deadline
    windowStart = now
    pauseStart = now
  }

  /// Starts the time of another phase.
  ///
  /// - Parameters:
  ///   - phase: What the connection does from now on.
  ///   - now: When that is.
  ///   - limits: How long it may do so.
  ///   - lastCall: How long it may wait for a request while the server drains; nil if it does not.
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

  /// Stops the clock, as it is not the client that has to be waited for.
  mutating func pause(at now: ContinuousClock.Instant) {
    (phase, pauseStart) = (.paused, now)
  }

  /// Lets the clock of a body run on where it stopped.
  mutating func resume(at now: ContinuousClock.Instant) {
    phase = .body
    let pause = now - pauseStart
    since += pause
    deadline += pause
    requestDeadline += pause
    windowStart += pause
  }

  /// Whether the time is up.
  func isOverdue(at now: ContinuousClock.Instant) -> Bool {
    cut == nil && phase != .paused && deadline <= now
  }

  /// Counts bytes of the body.
  mutating func progress(_ byteCount: Int, at now: ContinuousClock.Instant) {
    windowByteCount += byteCount
    guard now - windowStart >= Self.window else { return }
    lastPace = Double(windowByteCount) / ((now - windowStart) / .seconds(1))
    (windowStart, windowByteCount) = (now, 0)
  }

  /// The bytes a second of the body lately.
  func pace(at now: ContinuousClock.Instant) -> Double {
    let elapsed = now - windowStart
    return elapsed < Self.window
      ? max(lastPace, Double(windowByteCount))
      : min(lastPace, Double(windowByteCount) / (elapsed / .seconds(1)))
  }

  /// Whether the connection may be cut for another: it waits for a request, or its request is slow.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - sparesNew: Whether a request in its first second does not count as slow yet.
  /// - Returns: Whether it may.
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

  /// Why a connection whose time is up is cut.
  func reason(isDraining: Bool) -> Cut {
    switch phase {
    case .waiting: isDraining ? .draining : .idle
    case .head: .slowHead
    case .body, .paused: .slowBody
    case .answer, .sending: .slowAnswer
    }
  }

  /// The connections that may make way for others, the first to do so first.
  ///
  /// One that waits for a request costs its client nothing but a new connection. After these come
  /// the slowest: those that have sent nothing of a body, then those that have sent the least. The last
  /// are new ones, whose request may be on its way.
  static func order(
    toMakeWay connections: some Sequence<(key: Int32, value: TrackedConnection)>,
    at now: ContinuousClock.Instant, sparingNew sparesNew: Bool = true
  ) -> [Int32] {
    connections.filter { $0.value.canMakeWay(at: now, sparingNew: sparesNew) }
      .map { (key: $0.key, rank: $0.value.rank(at: now)) }
      .sorted { $0.rank < $1.rank }.map(\.key)
  }

  /// The pace, which is below zero for one that waits for a request unless it is new, and since when.
  private func rank(at now: ContinuousClock.Instant) -> (Double, ContinuousClock.Instant) {
    switch phase {
    case .waiting: (isFresh && now - since < Self.window ? .infinity : -1, since)
    case .body: (pace(at: now), since)
    case .head, .paused, .answer, .sending: (0, since)
    }
  }
}
