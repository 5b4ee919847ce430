package import LqipSystem

/// An HTTP server with one thread per connection, which stops when it is released.
package final class HTTPServer: Sendable {
  private let context: ServerContext
  private let sockets: [ListenSocket]
  private let daemon: HTTPDaemon
  private let acceptor: ConnectionAcceptor

  /// Starts answering requests.
  ///
  /// A worker starts before connections are accepted, so that startup fails if the decoder is broken.
  package init(_ context: ServerContext, on sockets: [ListenSocket]) throws(CommandError) {
    guard HTTPDaemon.isAvailable else {
      throw .failed("cannot start the server: libmicrohttpd could not be loaded")
    }
    try CommandError.catching({ .failed("\($0)") }) { try context.workers.check() }
    (daemon, acceptor) = try CommandError.catching({ .failed("cannot start the server: \($0)") }) {
      try context.reaper.start()
      try context.workers.startSupervision()
      let daemon = try HTTPDaemon(context)
      do {
        return (daemon, try ConnectionAcceptor(sockets, context, daemon))
      } catch {
        daemon.stop()
        throw error
      }
    }
    self.context = context
    self.sockets = sockets
    context.metrics.server.withLock { $0 = context }
  }

  deinit {
    context.metrics.server.withLock { $0 = nil }
    acceptor.stop()
    // While stopping, libmicrohttpd 0.9.75 dereferences its own error response after discarding it. All connections are
    // therefore closed before it stops.
    context.reaper.closeAll()
    daemon.stop()
  }

  /// Stops accepting connections and waits for requests in flight; returns whether all finished within the grace period.
  package func shutDown() -> Bool {
    // Start draining first, so that responses already have `Connection: close` once the port is closed.
    context.reaper.startDraining()
    acceptor.stop()
    for socket in sockets { socket.stopListening() }
    return context.reaper.waitUntilEmpty(within: context.limits.grace)
  }
}

/// The state shared by all requests of a server.
package final class ServerContext: Sendable {
  let router: Router
  let limits: ServerLimits
  let workers: WorkerPool
  /// The permits to render previews: half the number of workers, but at least one.
  ///
  /// Separate permits keep previews from delaying encode requests. A preview needs no worker: no codec parses client
  /// data, so the connection's thread renders it.
  let drawing: ResourceQueue<Void>
  let reaper: DeadlineReaper
  let budget: BodyBudget
  /// Whether the log contains the client address from `X-Forwarded-For`.
  let trustsForwarded: Bool
  let metrics: Metrics
  let log: AccessLog?

  package init(
    router: Router, workers: WorkerSupply, limits: ServerLimits, trustsForwarded: Bool = false,
    metrics: Metrics = Metrics(), log: AccessLog? = nil
  ) {
    self.router = router
    self.limits = limits
    self.trustsForwarded = trustsForwarded
    self.metrics = metrics
    self.log = log
    self.workers = WorkerPool(
      workers, count: limits.workerCount, queueLimit: limits.queueLength(of: .encoding),
      queueDeadline: limits.queueTimeout)
    drawing = ResourceQueue(
      Array(repeating: (), count: max(1, limits.workerCount / 2)),
      lengthLimit: limits.queueLength(of: .drawing), deadline: limits.queueTimeout)
    reaper = DeadlineReaper(limits, metrics)
    budget = BodyBudget(byteCount: limits.bufferedByteCount, largest: limits.bodyByteCount)
  }

  /// Returns the number of requests that wait for a type of work.
  func queueLength(of work: RequestHandler.Work) -> Int {
    switch work {
    case .encoding: workers.queue.length
    case .drawing: drawing.length
    }
  }
}
