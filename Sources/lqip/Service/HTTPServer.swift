package import LqipSystem

/// Answers the requests that arrive at sockets, each connection on a thread of its own.
package final class HTTPServer: Sendable {
  private let context: ServerContext
  private let sockets: [ListenSocket]
  private let daemons = Monitor<[HTTPDaemon]>([])

  /// Starts to serve what a responder answers; the parameters are those of the router's initializer.
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

  /// Starts to serve the routes of a router.
  ///
  /// - Parameters:
  ///   - router: Answers the requests.
  ///   - workers: Decode images.
  ///   - sockets: Where they arrive; bound, and not yet listening.
  ///   - limits: Limits on what clients may use.
  ///   - checksWorkers: Whether to start a worker before the first connection is accepted, so that what keeps
  ///     workers from decoding is known, and no request that waits at the socket is lost.
  ///   - trustsForwarded: Whether to log the client address that a proxy sends.
  ///   - metrics: Counts the events, if given.
  ///   - log: Logs the requests, if given.
  /// - Throws: A `ServerError` if a socket cannot be used, or a thread not started.
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

/// The state that all requests of a server share.
final class ServerContext: Sendable {
  let responder: any Responder
  let limits: ServerLimits
  /// Decode images.
  let workers: WorkerPool
  /// Places for requests that draw previews, half as many, so that these never keep images from being encoded.
  ///
  /// The connection's own thread draws, as no codec reads a byte of the client's for it.
  let drawing: WorkerPool
  let reaper: DeadlineReaper
  let budget: BodyBudget
  /// Whether to log the client address that a proxy sends.
  let trustsForwarded: Bool
  /// Tells the observers of an event.
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

/// Why the server cannot start.
package enum ServerError: Error, Hashable, Sendable {
  case listening(String, SystemError)
  /// The name of a host means nothing, for the reason the resolver gives.
  case unknownHost(String, reason: String)
  /// Something that is not a socket lies where the socket is to be.
  case occupied(FilePath)
  /// What systemd hands over is not one listening stream socket.
  case inheritedSocket
  /// Others can reach the address, and neither tokens nor open access were asked for.
  case unguarded(String)
  case starting(SystemError)
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
    case .workers(let error): "\(error)"
    }
  }
}
