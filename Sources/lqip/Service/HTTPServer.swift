internal import LqipFiles

/// Answers the requests that arrive at sockets, each connection on a thread of its own.
package final class HTTPServer: Sendable {
  private struct Daemons {
    var current: [HTTPDaemon] = []
    /// Those with an older identity, which still have connections.
    var former: [HTTPDaemon] = []
  }

  private let context: ServerContext
  private let sockets: [ListenSocket]
  private let daemons: Monitor<Daemons>

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - responder: Answers the requests.
  ///   - sockets: Where they arrive; bound, and not yet listening.
  ///   - limits: What clients may cost.
  ///   - identity: What the server proves its name with, or nil for plain HTTP.
  ///   - trustsForwarded: Whether what a proxy says of its client holds.
  ///   - observers: Whom to tell what happens.
  /// - Throws: A `ServerError` if a socket, the identity or a thread is not to be had.
  init(
    _ responder: any Responder, on sockets: [ListenSocket], limits: ServerLimits,
    identity: TLSIdentity? = nil, trustsForwarded: Bool = false,
    observers: [any ServerObserver] = []
  ) throws(ServerError) {
    context = ServerContext(
      responder: responder, limits: limits, isEncrypted: identity != nil,
      trustsForwarded: trustsForwarded, observers: observers)
    self.sockets = sockets
    daemons = Monitor(Daemons())
    do throws(ServerError) {
      for socket in sockets { try socket.startListening() }
      try Self.startThreads(context)
      try startDaemons(identity)
    } catch {
      stop()
      throw error
    }
  }

  /// Starts to serve what the routes answer.
  ///
  /// - Parameters:
  ///   - router: The routes.
  ///   - sockets: As for any responder, and so are the others.
  ///   - limits: What clients may cost.
  ///   - identity: What the server proves its name with.
  ///   - trustsForwarded: Whether what a proxy says of its client holds.
  ///   - metrics: Counts what happens; nil for nothing.
  ///   - log: Writes it down; nil for nothing.
  /// - Throws: As for any responder.
  package convenience init(
    routes router: Router, on sockets: [ListenSocket], limits: ServerLimits,
    identity: TLSIdentity? = nil, trustsForwarded: Bool = false, metrics: Metrics? = nil,
    log: AccessLog? = nil
  ) throws(ServerError) {
    let observers: [(any ServerObserver)?] = [metrics, log]
    try self.init(
      router, on: sockets, limits: limits, identity: identity, trustsForwarded: trustsForwarded,
      observers: observers.compactMap { $0 })
  }

  deinit { stop() }

  /// Proves its name with another identity to clients that connect from now on.
  package func renew(_ identity: TLSIdentity) throws(ServerError) {
    let former = daemons.withLock { daemons in
      defer { daemons.current = [] }
      return daemons.current
    }
    do throws(ServerError) {
      try startDaemons(identity)
    } catch {
      daemons.withLock { $0.current = former }
      throw error
    }
    for daemon in former { daemon.stopAccepting() }
    let finished = daemons.withLock { daemons in
      let all = daemons.former + former
      daemons.former = all.filter(\.hasConnections)
      return all.filter { daemon in !daemons.former.contains { $0 === daemon } }
    }
    for daemon in finished { daemon.stop() }
  }

  /// Takes no new connections, lets requests under way finish, and stops.
  ///
  /// - Returns: Whether all of them finished within the grace.
  @discardableResult
  package func shutDown() -> Bool {
    // First, so that a client that finds the port closed also finds its connection closing.
    context.reaper.startDraining()
    for daemon in daemons.withLock(\.current) { daemon.stopAccepting() }
    for socket in sockets { socket.stopListening() }
    let isDrained = context.reaper.drain(grace: context.limits.grace)
    stop()
    return isDrained
  }

  /// Cuts all connections that are left.
  private func stop() {
    let all = daemons.withLock { daemons in
      defer { daemons = Daemons() }
      return daemons.current + daemons.former
    }
    // While it stops, libmicrohttpd 0.9.75 forgets the response to what it refuses itself, and then
    // follows a pointer to it; so it stops when there is nothing left to refuse.
    for daemon in all { daemon.stopAccepting() }
    context.reaper.cutAll()
    for daemon in all { daemon.stop() }
    context.stop()
  }

  private func startDaemons(_ identity: TLSIdentity?) throws(ServerError) {
    for socket in sockets {
      let daemon = try HTTPDaemon(context, socket, identity)
      daemons.withLock { $0.current.append(daemon) }
    }
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
