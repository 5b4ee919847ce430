internal import LqipFiles
package import LqipWorkers

/// Answers the requests that arrive at sockets, each connection on a thread of its own.
package final class HTTPServer: Sendable {
  private let context: ServerContext
  private let sockets: [ListenSocket]
  private let daemons = Monitor<[HTTPDaemon]>([])

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - responder: Answers the requests.
  ///   - workers: Decode images.
  ///   - sockets: Where they arrive; bound, and not yet listening.
  ///   - limits: Limits on what clients may use.
  ///   - trustsForwarded: Whether to log the client address that a proxy sends.
  ///   - observers: Receive the server's events.
  /// - Throws: A `ServerError` if a socket cannot be used, or a thread not started.
  init(
    _ responder: any Responder, workers: WorkerSupply, on sockets: [ListenSocket],
    limits: ServerLimits,
    trustsForwarded: Bool = false,
    observers: [any ServerObserver] = []
  ) throws(ServerError) {
    context = ServerContext(
      responder: responder, workers: workers, limits: limits,
      trustsForwarded: trustsForwarded, observers: observers)
    self.sockets = sockets
    do throws(ServerError) {
      for socket in sockets { try socket.startListening() }
      try Self.startReaper(context)
      for socket in sockets {
        let daemon = try HTTPDaemon(context, socket)
        daemons.withLock { $0.append(daemon) }
      }
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
  ///   - trustsForwarded: Whether to log the client address that a proxy sends.
  ///   - metrics: Counts the events, if given.
  ///   - log: Logs the requests, if given.
  /// - Throws: As for any responder.
  package convenience init(
    routes router: Router, workers: WorkerSupply, on sockets: [ListenSocket],
    limits: ServerLimits,
    trustsForwarded: Bool = false, metrics: Metrics? = nil,
    log: AccessLog? = nil
  ) throws(ServerError) {
    let observers: [(any ServerObserver)?] = [metrics, log]
    try self.init(
      router, workers: workers, on: sockets, limits: limits,
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

  /// Takes no new connections, lets requests under way finish, and stops.
  ///
  /// - Returns: Whether all of them finished within the grace.
  @discardableResult
  package func shutDown() -> Bool {
    // First, so that a client that finds the port closed also finds its connection closing.
    context.reaper.startDraining()
    for daemon in daemons.withLock(\.self) { daemon.stopAccepting() }
    for socket in sockets { socket.stopListening() }
    let isDrained = context.reaper.drain(grace: context.limits.grace)
    stop()
    return isDrained
  }

  /// Cuts all connections that are left.
  private func stop() {
    let all = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    // While it stops, libmicrohttpd 0.9.75 forgets the response to what it refuses itself, and then
    // follows a pointer to it; so it stops when there is nothing left to refuse.
    for daemon in all { daemon.stopAccepting() }
    context.reaper.cutAll()
    for daemon in all { daemon.stop() }
    context.reaper.stop()
  }

  private static func startReaper(_ context: ServerContext) throws(ServerError) {
    do throws(SystemError) {
      _ = try SystemThread { context.reaper.run() }
    } catch {
      throw .starting(error)
    }
  }
}
