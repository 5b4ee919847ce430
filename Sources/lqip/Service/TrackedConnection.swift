/// What is known of a connection, so that it is cut when its time is up or its place is needed.
struct TrackedConnection: Sendable {
  /// What a connection is doing.
  enum Phase: Hashable, Sendable {
    /// Waiting for the first line of a request.
    case waiting
    case head, body
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

  /// Begins with a connection from which nothing has come.
  init(at now: ContinuousClock.Instant, limit: Duration) {
    since = now
    deadline = now + limit
    requestDeadline = deadline
    windowStart = now
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
    case .answer, .sending:
      deadline = requestDeadline
    }
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
    case .answer: false
    case .head, .sending: isOld
    case .body: isOld && pace(at: now) < Self.worthyPace
    }
  }

  /// Why a connection whose time is up is cut.
  func reason(isDraining: Bool) -> Cut {
    switch phase {
    case .waiting: isDraining ? .draining : .idle
    case .head: .slowHead
    case .body: .slowBody
    case .answer, .sending: .slowAnswer
    }
  }

  /// Which of some connections is the first to make way for another.
  ///
  /// One that waits for a request costs its client nothing but a new connection. After these come
  /// the slowest: those that have sent nothing of a body, then those that have sent the least. The last
  /// are new ones, whose request may be on its way.
  static func first(
    toMakeWay connections: some Sequence<(key: Int32, value: TrackedConnection)>,
    at now: ContinuousClock.Instant, sparingNew sparesNew: Bool = true
  ) -> Int32? {
    var first: (key: Int32, rank: (Double, ContinuousClock.Instant))?
    for (key, connection) in connections where connection.canMakeWay(at: now, sparingNew: sparesNew)
    {
      let rank = connection.rank(at: now)
      if first.map({ rank < $0.rank }) ?? true { first = (key, rank) }
    }
    return first?.key
  }

  /// The pace, which is below zero for one that waits for a request unless it is new, and since when.
  private func rank(at now: ContinuousClock.Instant) -> (Double, ContinuousClock.Instant) {
    switch phase {
    case .waiting: (isFresh && now - since < Self.window ? .infinity : -1, since)
    case .body: (pace(at: now), since)
    case .head, .answer, .sending: (0, since)
    }
  }
}
