internal import LqipFiles

/// Cuts the connections whose time is up.
///
/// A byte a second keeps a connection alive for any limit on inactivity, so each phase of a
/// request has an absolute deadline. To cut a connection is to shut down its socket, upon which
/// its own thread finds it closed.
final class DeadlineReaper: Sendable {
  /// What a connection is doing.
  enum Phase: Hashable, Sendable {
    /// Waiting for the first line of a request.
    case waiting
    case head, body, answer
  }

  /// Why a connection was cut.
  enum Cut: String, Hashable, Sendable {
    case idle
    case slowHead = "slow_head"
    case slowBody = "slow_body"
    case slowAnswer = "slow_answer"
    /// It did nothing, and its place was needed.
    case crowded
    case draining
  }

  private struct Connection {
    var phase = Phase.waiting
    var since: ContinuousClock.Instant
    var deadline: ContinuousClock.Instant
    var requestDeadline: ContinuousClock.Instant
    var cut: Cut?
  }

  private struct State {
    var connections: [Int32: Connection] = [:]
    var isDraining = false
    var isStopped = false
  }

  /// How often deadlines are looked at.
  private static let interval = Duration.milliseconds(100)
  /// How long a connection may still bring a request once the server drains.
  private static let lastCall = Duration.milliseconds(500)

  private let state = Monitor(State())
  private let limits: ServerLimits
  private let isEncrypted: Bool
  private let observers: [any ServerObserver]

  init(_ limits: ServerLimits, isEncrypted: Bool, observers: [any ServerObserver]) {
    self.limits = limits
    self.isEncrypted = isEncrypted
    self.observers = observers
  }

  /// Watches a new connection, by its socket.
  ///
  /// When there are too many, the one that has waited longest for a request makes way.
  func add(_ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      let limit = state.isDraining ? Self.lastCall : limits.headDeadline
      state.connections[descriptor] = Connection(
        since: now, deadline: now + limit, requestDeadline: now + limit)
      let kept = state.connections.filter { $0.value.cut == nil }
      guard kept.count > limits.connectionCount else { return }
      let longest = kept.filter { $0.value.phase == .waiting }
        .min { $0.value.since < $1.value.since }
      if let longest { cut(longest.key, .crowded, in: &state) }
    }
  }

  /// Forgets a connection that is about to be closed.
  func remove(_ descriptor: Int32) {
    state.update { $0.connections[descriptor] = nil }
  }

  /// Starts the time of another phase.
  func enter(_ phase: Phase, _ descriptor: Int32) {
    let now = ContinuousClock.now
    state.withLock { state in
      guard var connection = state.connections[descriptor] else { return }
      connection.phase = phase
      connection.since = now
      switch phase {
      case .waiting:
        connection.deadline = now + (state.isDraining ? Self.lastCall : limits.idleDeadline)
      case .head:
        connection.requestDeadline = now + limits.requestDeadline
        connection.deadline = now + limits.headDeadline
      case .body: connection.deadline = now + limits.bodyDeadline
      case .answer: connection.deadline = connection.requestDeadline
      }
      if phase != .waiting {
        connection.deadline = min(connection.deadline, connection.requestDeadline)
      }
      state.connections[descriptor] = connection
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
        for (descriptor, connection) in state.connections
        where connection.deadline <= now && connection.cut == nil {
          cut(descriptor, reason(for: connection, in: state), in: &state)
        }
      }
    }
  }

  private func reason(for connection: Connection, in state: State) -> Cut {
    switch connection.phase {
    case .waiting: state.isDraining ? .draining : .idle
    case .head: .slowHead
    case .body: .slowBody
    case .answer: .slowAnswer
    }
  }

  /// Shuts down a socket; the lock is held, so that it is not yet another connection's.
  private func cut(_ descriptor: Int32, _ reason: Cut, in state: inout State) {
    state.connections[descriptor]?.cut = reason
    for observer in observers { observer.connectionCut(reason) }
    // Until the body is whole the library writes nothing, and there is a request to answer.
    if !isEncrypted, reason == .slowHead || reason == .slowBody {
      let bytes = Self.slowClientResponse
      _ = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private static let slowClientResponse: [UInt8] = {
    let response = Problem(
      status: 408, code: "slow_client", detail: "the request took too long to arrive"
    ).response
    var text = "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n"
    for (name, value) in response.fields { text += "\(name): \(value)\r\n" }
    text += "content-length: \(response.body.count)\r\n\r\n"
    return Array(text.utf8) + response.body
  }()
}
