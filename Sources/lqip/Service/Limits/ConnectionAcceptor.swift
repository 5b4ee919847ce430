import LqipSystem

/// Accepts the connections of all listening sockets, and passes them to the HTTP daemon.
///
/// Starting a connection's thread takes longer than connecting, so a burst of clients could fill the system's queues.
/// The system would then drop or refuse other clients. The acceptor therefore accepts all queued connections before it
/// starts the next thread, and starts the newest connection first. If a queue nevertheless does not become empty, the
/// oldest connections without a place are closed.
final class ConnectionAcceptor: Sendable {
  private typealias Connection = (descriptor: Int32, time: MonotonicTime)

  /// The time after which a queue that never became empty counts as crowded.
  private static let crowdingDelay = Duration.milliseconds(25)
  /// The pause after an error such as too many open files.
  private static let errorPause = Duration.milliseconds(10)

  private let state = Monitor((isStopping: false, hasEnded: false))
  private let wakeUp: WakeUp
  private let sockets: [ListenSocket]
  private let context: ServerContext
  private let daemon: HTTPDaemon

  /// Starts a thread that accepts connections until ``stop()`` is called.
  init(
    _ sockets: [ListenSocket], _ context: ServerContext, _ daemon: HTTPDaemon
  ) throws(SystemError) {
    wakeUp = try WakeUp()
    self.sockets = sockets
    self.context = context
    self.daemon = daemon
    for socket in sockets {
      // Another process may accept a connection between `poll` and `accept`.
      let flags = fcntl(socket.descriptor, F_GETFL)
      _ = fcntl(socket.descriptor, F_SETFL, flags | O_NONBLOCK)
    }
    try SystemThread.start { self.run() }
  }

  /// Waits for the thread to end; new connections stay in the system's queues.
  func stop() {
    state.withLock { $0.isStopping = true }
    wakeUp.set()
    _ = state.wait(until: nil) { $0.hasEnded ? true : nil }
  }

  private func run() {
    var accepted: [Connection] = []
    var lastEmpty = MonotonicTime.now
    while !state.withLock({ $0.isStopping }) {
      if accepted.isEmpty {
        var polled = ([wakeUp.descriptor] + sockets.map(\.descriptor)).map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = unsafe poll(&polled, nfds_t(polled.count), -1)
        lastEmpty = .now
      }
      let isCrowded = lastEmpty.duration(to: .now) > Self.crowdingDelay
      let areEmpty = sockets.map { acceptAll(from: $0, &accepted, isCrowded: isCrowded) }
      if areEmpty.allSatisfy(\.self) { lastEmpty = .now }
      startNewest(of: &accepted)
    }
    while !accepted.isEmpty { startNewest(of: &accepted) }
    state.update { $0.hasEnded = true }
  }

  /// Accepts the connections in the queue of a socket, and returns whether the queue is empty.
  ///
  /// `accepted` has the connections that have not started, oldest first. When all places are taken, the oldest
  /// connections are closed if the queue is crowded; otherwise, the others stay queued.
  private func acceptAll(
    from socket: ListenSocket, _ accepted: inout [Connection], isCrowded: Bool
  ) -> Bool {
    let capacity = max(1, context.reaper.freePlaceCount)
    // The limit lets accepted connections start even if the queue never becomes empty.
    for _ in 0..<SOMAXCONN {
      guard isCrowded || accepted.count < capacity else { return false }
      let descriptor = accept(socket.descriptor, nil, nil)
      guard descriptor >= 0 else {
        switch errno {
        case ECONNABORTED, EINTR: continue
        case EAGAIN: return true
        default:
          SystemThread.sleep(for: Self.errorPause)
          return false
        }
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      accepted.append((descriptor, .now))
      closeOldest(accepted.count - capacity, of: &accepted)
    }
    return false
  }

  private func startNewest(of accepted: inout [Connection]) {
    guard let newest = accepted.last else { return }
    switch context.reaper.reservePlace(for: newest.descriptor, acceptedAt: newest.time) {
    case .reserved:
      accepted.removeLast()
      if !daemon.start(newest.descriptor) { context.reaper.remove(newest.descriptor) }
    case .occupiedBriefly: break
    case .occupied: closeOldest(accepted.count, of: &accepted)
    }
  }

  private func closeOldest(_ count: Int, of accepted: inout [Connection]) {
    guard count > 0 else { return }
    for connection in accepted.prefix(count) { close(connection.descriptor) }
    accepted.removeFirst(count)
    context.metrics.count { $0.closedConnections[.crowded, default: 0] += count }
  }
}
