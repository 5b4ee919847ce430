/// Answers the requests that arrive at a socket, each connection on a thread of its own.
final class HTTPServer: Sendable {
  private struct Running: ~Copyable {
    let daemon: HTTPDaemon
    let reaping: SystemThread

    consuming func stop(_ reaper: DeadlineReaper) {
      daemon.stop()
      reaper.stop()
      reaping.join()
    }
  }

  private let context: ServerContext
  private let socket: ListenSocket
  private let running: Monitor<Running?>

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - responder: Answers the requests.
  ///   - socket: Where they arrive; bound, and not yet listening.
  ///   - limits: What clients may cost.
  ///   - identity: What the server proves its name with, or nil for plain HTTP.
  ///   - observers: Whom to tell what happens.
  /// - Throws: A `ServerError` if the socket, the identity or a thread is not to be had.
  init(
    _ responder: any Responder, on socket: ListenSocket, limits: ServerLimits,
    identity: TLSIdentity? = nil, observers: [any ServerObserver] = []
  ) throws(ServerError) {
    let context = ServerContext(
      responder: responder, limits: limits, isEncrypted: identity != nil, observers: observers)
    try socket.startListening()
    let reaping = try Self.startReaping(context.reaper)
    do throws(ServerError) {
      running = Monitor(
        Running(daemon: try HTTPDaemon(context, socket, identity), reaping: reaping))
    } catch {
      context.reaper.stop()
      reaping.join()
      throw error
    }
    self.context = context
    self.socket = socket
  }

  deinit { stop() }

  /// Takes no new connections, lets requests under way finish, and stops.
  ///
  /// - Returns: Whether all of them finished within the grace.
  @discardableResult
  func shutDown() -> Bool {
    running.withLock { $0?.daemon.stopAccepting() }
    socket.stopListening()
    let isDrained = context.reaper.drain(grace: context.limits.grace)
    stop()
    return isDrained
  }

  private static func startReaping(_ reaper: DeadlineReaper) throws(ServerError) -> SystemThread {
    do throws(SystemError) {
      return try SystemThread { reaper.run() }
    } catch {
      throw .starting(error)
    }
  }

  /// Cuts all connections that are left.
  private func stop() {
    guard let running = running.withLock({ $0.take() }) else { return }
    running.stop(context.reaper)
  }
}
