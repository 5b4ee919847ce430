internal import LqipFiles
package import LqipWorkers

/// Answers the requests that arrive at sockets, each connection on a thread of its own.
package final class HTTPServer: Sendable {
  private struct Daemons {
    var current: [HTTPDaemon] = []
    /// Those that accept no more clients, but may still have connections.
    var former: [HTTPDaemon] = []

    mutating func retire(_ daemons: [HTTPDaemon]) {
      for daemon in daemons { daemon.stopAccepting() }
      former += daemons
    }

    /// Removes the former daemons without connections, for the caller to stop.
    mutating func removeIdle() -> [HTTPDaemon] {
      let idle = former.filter { !$0.hasConnections }
      former.removeAll { daemon in idle.contains { $0 === daemon } }
      return idle
    }
  }

  private let context: ServerContext
  private let sockets: [ListenSocket]
  private let daemons: Monitor<Daemons>

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - responder: Answers the requests.
  ///   - workers: Decode images.
  ///   - sockets: Where they arrive; bound, and not yet listening.
  ///   - limits: Limits on what clients may use.
  ///   - identity: The certificate and its key; nil for plain HTTP.
  ///   - trustsForwarded: Whether to log the client address that a proxy sends.
  ///   - observers: Receive the server's events.
  /// - Throws: A `ServerError` if a socket or the identity cannot be used, or a thread not started.
  init(
    _ responder: any Responder, workers: WorkerSupply, on sockets: [ListenSocket],
    limits: ServerLimits,
    identity: TLSIdentity? = nil, trustsForwarded: Bool = false,
    observers: [any ServerObserver] = []
  ) throws(ServerError) {
    context = ServerContext(
      responder: responder, workers: workers, limits: limits, isEncrypted: identity != nil,
      trustsForwarded: trustsForwarded, observers: observers)
    self.sockets = sockets
    daemons = Monitor(Daemons())
    do throws(ServerError) {
      for socket in sockets { try socket.startListening() }
      try Self.startReaper(context)
      try startDaemons(identity)
    } catch {
      stop()
      throw error
    }
  }

  /// Starts to serve the routes of a router.
  ///
  /// - Parameters:
  ///   - router: Answers the requests.
  ///   - workers: Decode images.
  ///   - sockets: As for any responder, and so are the others.
  ///   - limits: Limits on what clients may use.
  ///   - identity: The certificate and its key; nil for plain HTTP.
  ///   - trustsForwarded: Whether to log the client address that a proxy sends.
  ///   - metrics: Counts the events, if given.
  ///   - log: Logs the requests, if given.
  /// - Throws: As for any responder.
  package convenience init(
    routes router: Router, workers: WorkerSupply, on sockets: [ListenSocket],
    limits: ServerLimits,
    identity: TLSIdentity? = nil, trustsForwarded: Bool = false, metrics: Metrics? = nil,
    log: AccessLog? = nil
  ) throws(ServerError) {
    let observers: [(any ServerObserver)?] = [metrics, log]
    try self.init(
      router, workers: workers, on: sockets, limits: limits, identity: identity,
      trustsForwarded: trustsForwarded, observers: observers.compactMap { $0 })
  }

  deinit { stop() }

  /// Starts a worker, so that what keeps workers from decoding is known before the first request.
  package func checkWorkers() throws(ServerError) {
    do {
      try context.workers.check()
    } catch {
      throw .workers(error)
    }
  }

  /// Uses another identity for clients that connect from now on.
  ///
  /// - Returns: Whether it does so; a server that is shutting down accepts no more clients.
  /// - Throws: A `ServerError` if the identity cannot be used; the old one stays in use.
  @discardableResult
  package func renew(_ identity: TLSIdentity) throws(ServerError) -> Bool {
    try startDaemons(identity)
  }

  /// Starts a daemon for each socket in place of the present one, or leaves everything as it was.
  @discardableResult
  func replaceDaemons(
    by start: (ListenSocket) throws(ServerError) -> HTTPDaemon
  ) throws(ServerError) -> Bool {
    // Under the lock, so that a shutdown finds either the old daemons or the new ones.
    let (unused, failure) = daemons.withLock { daemons -> ([HTTPDaemon]?, ServerError?) in
      guard !context.reaper.isDraining else { return (nil, nil) }
      var started: [HTTPDaemon] = []
      do throws(ServerError) {
        for socket in sockets { started.append(try start(socket)) }
      } catch {
        return (started, error)
      }
      daemons.retire(daemons.current)
      daemons.current = started
      return (daemons.removeIdle(), nil)
    }
    for daemon in unused ?? [] { daemon.stop() }
    if let failure { throw failure }
    return unused != nil
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
    context.reaper.stop()
  }

  @discardableResult
  private func startDaemons(_ identity: TLSIdentity?) throws(ServerError) -> Bool {
    try replaceDaemons { [context] socket throws(ServerError) in
      try HTTPDaemon(context, socket, identity)
    }
  }

  private static func startReaper(_ context: ServerContext) throws(ServerError) {
    do throws(SystemError) {
      _ = try SystemThread { context.reaper.run() }
    } catch {
      throw .starting(error)
    }
  }
}
