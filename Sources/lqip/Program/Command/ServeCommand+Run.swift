import LqipRecords
import LqipService
import LqipSystem

extension ServeCommand {
  /// The time limit for writing the last lines of the log.
  private static let flushTime = Duration.seconds(1)
  /// The minimum number of free descriptors: those of the server, and one for a connection.
  private static let minimumDescriptorCount = 28

  func run() throws(CommandError) -> ExitStatus {
    DescriptorLimit.raise()
    let spare = SpareResources(upToDescriptors: Self.minimumDescriptorCount)
    if let shortage = spare.shortage(ofDescriptors: Self.minimumDescriptorCount) {
      throw .failed(shortage)
    }
    var limits = limits
    let serverLimits = serverLimits(decoding: &limits.memory)
    let hasLostZygote = Monitor(false)
    let settings = ImageTask.workers(
      sandbox, limits, workerLimit: serverLimits.workerCount, inputCapacity: limits.byteCount)
    // The workers are forked first, while the process has one thread and has read no secrets.
    let workers = try CommandError.catching({ .failed("\($0)") }) {
      try WorkerSupply(settings) {
        // Only a restart of the program, by its supervisor, restores the workers.
        let isFirst = hasLostZygote.update { hasLostZygote in
          defer { hasLostZygote = true }
          return !hasLostZygote
        }
        guard isFirst else { return }
        StandardError.print("\(WorkerError.lost); shutting down the server")
        kill(getpid(), SIGTERM)
      }
    }
    let isDrained = try serve(workers, limits, serverLimits)
    return isDrained && !hasLostZygote.withLock { $0 } ? .success : .failure
  }

  /// Runs the server until a signal stops it; returns whether all requests finished within the grace period.
  private func serve(
    _ workers: WorkerSupply, _ limits: LimitOptions, _ serverLimits: ServerLimits
  ) throws(CommandError) -> Bool {
    let tokens = try tokenFile.map { path throws(CommandError) in try TokenFile(path) }
    let signals = try CommandError.catching({ .failed("cannot handle signals: \($0)") }) {
      try SignalObserver { tokens?.reload() }
    }
    let writer = try CommandError.catching({ .failed("cannot start the server: \($0)") }) {
      try LogWriter()
    }
    defer { writer.flush(within: Self.flushTime) }
    let sockets = try sockets
    let isPrivate = sockets.allSatisfy(\.isPrivate)
    guard isPrivate || tokenFile != nil || isOpen else {
      throw .failed(
        "refusing to listen on \(sockets[0].name) without authentication; "
          + "pass --token-file FILE or --no-auth")
    }
    Memory.share(among: 2)
    let metrics = Metrics { writer.droppedCount }
    let isDraining = Monitor(false)
    let router = Router(
      limits: limits, tokens: tokens, origins: origins,
      isLoopback: isPrivate && sockets.contains { $0.port != nil }, metrics: metrics,
      isDraining: isDraining)
    let context = ServerContext(
      router: router, workers: workers, limits: serverLimits, trustsForwarded: trustsForwarded,
      metrics: metrics,
      log: AccessLog(format: log ?? (isOnTerminal ? .text : .json), writer: writer))
    let server = try HTTPServer(context, on: sockets)
    if let sandbox = workers.sandbox { StandardError.print("sandbox: \(sandbox)") }
    for socket in sockets { StandardError.print("listening on \(displayAddress(of: socket))") }
    StandardError.redirect(to: writer.write)
    signals.wait()
    isDraining.update { $0 = true }
    if let drainDelay { SystemThread.sleep(for: drainDelay) }
    let isDrained = server.shutDown()
    if !isDrained {
      // `print` goes through the log writer, so a stalled reader of the log cannot block the exit.
      StandardError.print(
        "shutdown: unfinished requests were cut off when the grace period ended (see --grace)")
    }
    return isDrained
  }

  private var isOnTerminal: Bool { Terminal.current != nil }

  /// Returns a socket's address for messages; on a terminal, a clickable URL and a note on how to stop the server.
  private func displayAddress(of socket: ListenSocket) -> String {
    guard isOnTerminal, let port = socket.port else { return socket.name }
    // Clients cannot connect to a wildcard address.
    let isWildcard = ["0.0.0.0:", "[::]:"].contains { socket.name.hasPrefix($0) }
    return isWildcard
      ? "\(socket.name), http://localhost:\(port)/ (stop with Ctrl-C)"
      : "http://\(socket.name)/ (stop with Ctrl-C)"
  }

  private var sockets: [ListenSocket] {
    get throws(CommandError) {
      if let address { return try ListenSocket.all(address) }
      if let inherited = try ListenSocket(inheritedBy: Environment.value) { return [inherited] }
      return try ListenSocket.all(Self.defaultAddress)
    }
  }

  /// Returns the limits of connections, requests and bodies, derived from the options and the available resources.
  ///
  /// `decoding` is the maximum memory for decoding one image, in bytes; it is lowered if memory is short.
  func serverLimits(decoding: inout Int) -> ServerLimits {
    let resources = SystemResources.current
    var limits = ServerLimits(
      memory: resources.memoryByteCount, processors: resources.processorCount, workers: jobs,
      decoding: &decoding, largestBody: self.limits.byteCount)
    limits.connectionCount = connectionCount
    limits.fit(SpareResources(upToDescriptors: limits.descriptorCount))
    limits.idleTimeout = keepAlive
    limits.queueLength = queueLength ?? limits.queueLength
    limits.queueTimeout = self.limits.timeout
    // A longer time limit for an image needs a longer deadline for its request.
    limits.requestTimeout += (self.limits.timeout - Self.defaultLimits.timeout) * 3
    limits.grace = grace
    return limits
  }
}
