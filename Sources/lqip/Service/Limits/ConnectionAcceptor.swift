import LqipSystem

/// Accepts the connections of all listening sockets, and passes them to the HTTP daemon.
final class ConnectionAcceptor: Sendable {
  /// The pause after an error such as too many open files.
  private static let errorPause = Duration.milliseconds(10)

  private let hasEnded = Monitor(false)
  private let wakeUp: WakeUp
  private let context: ServerContext
  private let daemon: HTTPDaemon

  /// Starts a thread that accepts connections until ``stop()`` is called.
  init(
    _ sockets: [ListenSocket], _ context: ServerContext, _ daemon: HTTPDaemon
  ) throws(SystemError) {
    wakeUp = try WakeUp()
    self.context = context
    self.daemon = daemon
    for socket in sockets {
      // Another process may accept a connection between `poll` and `accept`.
      let flags = fcntl(socket.descriptor, F_GETFL)
      _ = fcntl(socket.descriptor, F_SETFL, flags | O_NONBLOCK)
    }
    try SystemThread.start { self.run(sockets) }
  }

  /// Waits for the thread to end; new connections stay in the system's queues.
  func stop() {
    wakeUp.set()
    _ = hasEnded.wait(until: nil) { $0 ? true : nil }
  }

  private func run(_ sockets: [ListenSocket]) {
    let descriptors = [wakeUp.descriptor] + sockets.map(\.descriptor)
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var refused = RefusedConnections()
    while polled[0].revents == 0 {
      let count = unsafe poll(&polled, nfds_t(polled.count), refused.isEmpty ? -1 : 100)
      refused.closeOld(at: .now)
      guard count > 0 else { continue }
      for socket in polled.dropFirst() where socket.revents != 0 {
        acceptConnection(from: socket.fd, &refused)
      }
    }
    hasEnded.update { $0 = true }
  }

  /// Starts a connection, or refuses it if all places stay occupied.
  private func acceptConnection(from socket: Int32, _ refused: inout RefusedConnections) {
    let connection = FileDescriptor(owning: accept(socket, nil, nil))
    guard connection.number >= 0 else {
      if ![EAGAIN, ECONNABORTED, EINTR].contains(errno) {
        SystemThread.sleep(for: Self.errorPause)
      }
      return
    }
    _ = fcntl(connection.number, F_SETFD, FD_CLOEXEC)
    guard context.reaper.reservePlace(for: connection.number) else {
      context.metrics.count { $0.closedConnections[.crowded, default: 0] += 1 }
      return refused.add(connection, .busy("too many connections"), at: .now)
    }
    let descriptor = connection.release()
    if !daemon.start(descriptor) { context.reaper.remove(descriptor) }
  }
}

/// Connections that have been refused with a response.
///
/// They stay open for a moment. Closing a socket with unread bytes would reset the connection, and the client could lose
/// the response.
private struct RefusedConnections: ~Copyable {
  private static let time = Duration.seconds(1)
  private static let capacity = 64

  private var descriptors: [(number: Int32, end: MonotonicTime)] = []

  var isEmpty: Bool { descriptors.isEmpty }

  mutating func add(
    _ connection: consuming FileDescriptor, _ problem: Problem, at now: MonotonicTime
  ) {
    problem.send(to: connection.number)
    if descriptors.count == Self.capacity { close(descriptors.removeFirst().number) }
    descriptors.append((connection.release(), now + Self.time))
  }

  /// Closes the connections that have been open long enough.
  mutating func closeOld(at now: MonotonicTime) {
    while let first = descriptors.first, first.end <= now {
      close(descriptors.removeFirst().number)
    }
  }

  deinit { for (descriptor, _) in descriptors { close(descriptor) } }
}
