internal import LqipFiles

/// Answers the requests that arrive at a socket, each connection on a thread of its own.
package final class HTTPServer: Sendable {
  private let context: ServerContext
  private let socket: ListenSocket
  private let daemon: Monitor<HTTPDaemon?>

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
    do throws(ServerError) {
      try Self.startThreads(context)
      daemon = Monitor(try HTTPDaemon(context, socket, identity))
    } catch {
      context.stop()
      throw error
    }
    self.context = context
    self.socket = socket
  }

  /// Starts to serve what the routes answer, counted and logged.
  ///
  /// - Throws: As for any responder.
  package convenience init(
    _ router: Router, on socket: ListenSocket, limits: ServerLimits, identity: TLSIdentity?,
    metrics: Metrics, log: AccessLog
  ) throws(ServerError) {
    try self.init(
      router, on: socket, limits: limits, identity: identity, observers: [metrics, log])
  }

  deinit { stop() }

  /// Takes no new connections, lets requests under way finish, and stops.
  ///
  /// - Returns: Whether all of them finished within the grace.
  @discardableResult
  package func shutDown() -> Bool {
    // First, so that whoever finds the port closed is told that connections close as well.
    context.reaper.startDraining()
    daemon.withLock { $0?.stopAccepting() }
    socket.stopListening()
    let isDrained = context.reaper.drain(grace: context.limits.grace)
    stop()
    return isDrained
  }

  /// Cuts all connections that are left.
  private func stop() {
    guard let daemon = daemon.withLock({ $0.take() }) else { return }
    daemon.stop()
    context.stop()
  }

  private static func startThreads(_ context: ServerContext) throws(ServerError) {
    do throws(SystemError) {
      _ = try SystemThread { context.reaper.run() }
      for _ in 0..<context.limits.decodeSlotCount {
        _ = try SystemThread { context.pool.run() }
      }
    } catch {
      throw .starting(error)
    }
  }
}
