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
    while polled[0].revents == 0 {
      guard unsafe poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      for socket in polled.dropFirst() where socket.revents != 0 {
        acceptConnection(from: socket.fd)
      }
    }
    hasEnded.update { $0 = true }
  }

  /// Starts a connection, or closes it if all places stay occupied.
  private func acceptConnection(from socket: Int32) {
    let descriptor = accept(socket, nil, nil)
    guard descriptor >= 0 else {
      if ![EAGAIN, ECONNABORTED, EINTR].contains(errno) {
        SystemThread.sleep(for: Self.errorPause)
      }
      return
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if !context.reaper.reservePlace(for: descriptor) {
      close(descriptor)
      context.metrics.count { $0.closedConnections[.crowded, default: 0] += 1 }
    } else if !daemon.start(descriptor) {
      context.reaper.remove(descriptor)
    }
  }
}
