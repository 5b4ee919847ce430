package import LqipSystem

/// An HTTP server with one thread per connection.
package final class HTTPServer: Sendable {
  private let context: ServerContext
  private let sockets: [ListenSocket]
  private let daemons = Monitor<[HTTPDaemon]>([])

  /// Starts a server for a responder; the router's initializer documents the parameters.
  init(
    _ responder: any Responder, workers: WorkerSupply, on sockets: [ListenSocket],
    limits: ServerLimits, checksWorkers: Bool = false,
    trustsForwarded: Bool = false,
    observers: [any ServerObserver] = []
  ) throws(ServerError) {
    context = ServerContext(
      responder: responder, workers: workers, limits: limits,
      trustsForwarded: trustsForwarded, observers: observers)
    self.sockets = sockets
    do throws(ServerError) {
      for socket in sockets { try socket.startListening() }
      if checksWorkers { try Self.checkWorkers(context) }
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

  /// Starts a server for the routes of a router.
  ///
  /// - Parameters:
  ///   - router: The router that answers the requests.
  ///   - workers: The source of workers that decode images.
  ///   - sockets: The bound sockets to listen on.
  ///   - limits: The resource limits.
  ///   - checksWorkers: Whether to start a worker before accepting connections. A worker that fails
  ///     is then an error at startup, and no request in the backlog is lost.
  ///   - trustsForwarded: Whether to log the client address from `X-Forwarded-For`.
  ///   - metrics: The metrics to update, if any.
  ///   - log: The access log, if any.
  /// - Throws: A `ServerError` if a socket cannot be used, a worker fails or a thread cannot be
  ///   started.
  package convenience init(
    routes router: Router, workers: WorkerSupply, on sockets: [ListenSocket],
    limits: ServerLimits, checksWorkers: Bool = false,
    trustsForwarded: Bool = false, metrics: Metrics? = nil,
    log: AccessLog? = nil
  ) throws(ServerError) {
    let observers: [(any ServerObserver)?] = [metrics, log]
    try self.init(
      router, workers: workers, on: sockets, limits: limits, checksWorkers: checksWorkers,
      trustsForwarded: trustsForwarded, observers: observers.compactMap { $0 })
    metrics?.show(context)
  }

  deinit { stop() }

  /// Stops accepting connections, completes requests in flight and stops the server.
  ///
  /// - Returns: Whether all requests finished within the grace period.
  @discardableResult
  package func shutDown() -> Bool {
    // Start draining first, so that responses already have `Connection: close` once the port is
    // closed.
    context.reaper.startDraining()
    for daemon in daemons.withLock(\.self) { daemon.stopAccepting() }
    for socket in sockets { socket.stopListening() }
    let isDrained = context.reaper.drain(grace: context.limits.grace)
    stop()
    return isDrained
  }

  /// Closes the remaining connections and stops all threads.
  private func stop() {
    let all = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    // While stopping, libmicrohttpd 0.9.75 dereferences its own error response after discarding it.
    // All connections are therefore closed before it stops.
    for daemon in all { daemon.stopAccepting() }
    context.reaper.cutAll()
    for daemon in all { daemon.stop() }
    context.reaper.stop()
  }

  private static func checkWorkers(_ context: ServerContext) throws(ServerError) {
    do {
      try context.workers.check()
    } catch {
      throw .workers(error)
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

/// The state shared by all requests of a server.
final class ServerContext: Sendable {
  let responder: any Responder
  let limits: ServerLimits
  /// The workers that decode images.
  let workers: WorkerPool
  /// The permits for rendering previews, half as many as workers.
  ///
  /// Separate permits keep previews from delaying encode requests. The connection's thread renders
  /// a preview itself, because no codec parses client data.
  let drawing: WorkerPool
  let reaper: DeadlineReaper
  let budget: BodyBudget
  /// Whether to log the client address from `X-Forwarded-For`.
  let trustsForwarded: Bool
  /// The function that reports an event to all observers.
  let report: @Sendable (ServerEvent) -> Void

  init(
    responder: any Responder, workers: WorkerSupply, limits: ServerLimits,
    trustsForwarded: Bool, observers: [any ServerObserver]
  ) {
    self.responder = responder
    self.limits = limits
    self.trustsForwarded = trustsForwarded
    let report = { @Sendable (event: ServerEvent) in
      for observer in observers { observer.observe(event) }
    }
    self.report = report
    func pool(_ work: RequestHandler.Work, count: Int) -> WorkerPool {
      var observer = WorkerPool.Observer()
      observer.queueChanged = { report(.queueChanged(work, length: $0)) }
      observer.queueLeft = { report(.queueLeft(after: $0)) }
      return WorkerPool(
        workers, count: count, queueLimit: limits.queueLength,
        queueDeadline: limits.queueDeadline, observer: observer)
    }
    self.workers = pool(.encoding, count: limits.workerCount)
    drawing = pool(.drawing, count: max(1, limits.workerCount / 2))
    reaper = DeadlineReaper(limits) { report(.connectionCut($0)) }
    budget = BodyBudget(byteCount: limits.bufferedByteCount, largest: limits.bodyByteCount)
  }
}

/// An error that prevents the server from starting.
package enum ServerError: Error, Hashable, Sendable {
  case listening(String, SystemError)
  /// A host name that cannot be resolved, with the resolver's reason.
  case unknownHost(String, reason: String)
  /// The path of the socket is occupied by a file that is not a socket.
  case occupied(FilePath)
  /// systemd did not pass exactly one listening stream socket.
  case inheritedSocket
  /// A non-loopback address without a token file or `--no-auth`.
  case unguarded(String)
  case starting(SystemError)
  /// libmicrohttpd could not be loaded.
  case libraryUnavailable
  case workers(WorkerError)
}

extension ServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .listening(let address, let error):
      "cannot listen on \(address): \(error)"
        + (error.number == EADDRINUSE ? "; pass another address with --listen" : "")
    case .unknownHost(let host, let reason):
      "cannot listen on '\(host)': \(reason)"
    case .occupied(let path):
      "cannot listen on unix:\(path): file exists and is not a socket"
    case .inheritedSocket:
      "cannot use the socket passed by systemd: expected exactly one listening stream socket"
    case .unguarded(let address):
      "refusing to listen on \(address) without authentication; pass --token-file FILE or --no-auth"
    case .starting(let error):
      "cannot start the server: \(error)"
    case .libraryUnavailable:
      "cannot start the server: libmicrohttpd could not be loaded"
    case .workers(let error): "\(error)"
    }
  }
}
