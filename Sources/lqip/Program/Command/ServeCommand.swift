import LqipOptions
import LqipRecords
import LqipService
import LqipSystem

/// Runs the HTTP server until a signal stops it.
struct ServeCommand: Command {
  var address: ListenAddress?
  var trustsForwarded = false
  var tokenFile: FilePath?
  var isOpen = false
  var origins: [String] = []
  var limits = defaultLimits
  var jobs: Int?
  var sandbox = Sandbox.Mode.auto
  var queueLength: Int?
  var connectionCount = ServerLimits().connectionCount
  var keepAlive = ServerLimits().idleTimeout
  var drainDelay: Duration?
  var grace = ServerLimits().grace
  /// The format of the request log; `nil` for text on a terminal and JSON elsewhere.
  var log: AccessLog.Format?

  static let text = CommandText(
    name: "serve",
    summary: "Run the HTTP server",
    readsEnvironment: true,
    discussion: """
      POST an image to /v1/encode to get its record, or GET /v1/decode?blurhash=... to get a \
      preview. The demo page is at /, and the API description is at /openapi.json. An address that other \
      machines can reach requires --token-file or --no-auth.
      """,
    examples: [
      "Serve local clients on port 8080": "lqip serve",
      "Serve remote clients, with token authentication":
        "lqip serve --listen 0.0.0.0:8080 --token-file tokens",
    ])

  static let defaultLimits: LimitOptions = {
    var limits = LimitOptions()
    limits.byteCount = ServerLimits().bodyByteCount
    limits.timeout = .seconds(5)
    return limits
  }()

  static let defaultAddress = ListenAddress.network(host: "127.0.0.1", port: 8080)

  static let groups: KeyValuePairs<String, [CommandOption<Self>]> = [
    "Network": networkOptions, "Access": accessOptions,
    "Limits": LimitOptions.table(of: "body", defaults: defaultLimits).map {
      $0.lifted(to: \.limits)
    }
      + workOptions,
    "Operation": operationOptions,
  ]

  private static let networkOptions: [CommandOption<Self>] = [
    .value(
      "--listen", "ADDRESS", { $0.address = $1 }, .address,
      help: "Listen on HOST:PORT or unix:PATH (default: \(defaultAddress))",
      details: "By default, lqip uses the socket passed by systemd, if any."),
    .flag(
      "--trust-forwarded", { $0.trustsForwarded = true },
      help: "Log the client address from X-Forwarded-For",
      details: "Uses the last address in the header, which the reverse proxy added."),
  ]

  private static let accessOptions: [CommandOption<Self>] = [
    .value(
      "--token-file", "FILE", { $0.tokenFile = $1 }, .path,
      help: "Require a token from FILE (one token per line)"),
    .flag(
      "--no-auth", { $0.isOpen = true },
      help: "Require no token, even if other machines can connect"),
    .value(
      "--cors-origin", "ORIGIN", { $0.origins.append($1) }, .origin,
      help: "Allow cross-origin requests from ORIGIN",
      details: "'*' allows any origin. May be repeated."),
  ]

  private static let workOptions: [CommandOption<Self>] = [
    .value(
      "--jobs", short: "j", "N", { $0.jobs = $1 }, .integer(in: 1...1024),
      help: "Decode in N worker processes (default: based on cores and memory)",
      details:
        "The default is one worker per core, plus one if there are several cores; fewer if memory is "
        + "limited. N can be at most 1024."),
    EncodingOptions.sandboxOption { $0.sandbox = $1 },
    .value(
      "--queue", "N", { $0.queueLength = $1 }, .integer(in: 0...65_536),
      help: "Queue at most N encode requests (default: 4 per worker)",
      details: "Requests beyond the queue are rejected with 503. N can be at most 65536."),
    .value(
      "--max-connections", "N", { $0.connectionCount = $1 }, .integer(in: 16...65_536),
      help: "Limit open connections (default: \(ServerLimits().connectionCount))",
      details: "The open-file limit may lower this. N is 16 to 65536."),
  ]

  private static let operationOptions: [CommandOption<Self>] = [
    .value(
      "--keep-alive", "SECONDS", { $0.keepAlive = $1 }, .seconds,
      help:
        "Close idle connections after SECONDS (default: \(ServerLimits().idleTimeout.components.seconds))",
      details:
        "Should exceed the idle timeout of any reverse proxy in front of the server. "
        + "SECONDS can be at most 86400."),
    .value(
      "--drain-delay", "SECONDS", { $0.drainDelay = $1 }, .seconds,
      help: "Report not ready on /readyz for SECONDS before shutdown",
      details:
        "For load balancers that poll /readyz. By default, there is no delay. SECONDS can be at most 86400."
    ),
    .value(
      "--grace", "SECONDS", { $0.grace = $1 }, .seconds,
      help:
        "Wait up to SECONDS for requests to finish at shutdown (default: \(ServerLimits().grace.components.seconds))",
      details: "Requests still in flight after this time are cut off. SECONDS can be at most 86400."
    ),
    .value(
      "--log", "FORMAT", { $0.log = $1 }, .choice,
      help: "Set the request log format: text, json or none",
      details: "One line per request on standard error. Default: 'text' on a terminal, 'json' "
        + "elsewhere."),
  ]

  func validate() throws(UsageError) {
    guard tokenFile == nil || !isOpen else {
      throw .conflict("--no-auth cannot be combined with --token-file")
    }
  }

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
    let serverLimits = try serverLimits(decoding: &limits.memory)
    var settings = limits.workers(
      sandbox, workerLimit: serverLimits.workerCount, inputCapacity: limits.byteCount)
    settings.isExecuted = true
    // The workers are forked first, while the process has one thread and has read no secrets.
    let workers = try CommandError.catching({ .failed("\($0)") }) { try WorkerSupply(settings) }
    return try serve(workers, limits, serverLimits) ? .success : .failure
  }

  /// Runs the server until a signal stops it; returns whether it ended as requested, with all requests
  /// finished within the grace period.
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
    let hasLostWorkers = Monitor(false)
    workers.observe { incident in
      let isLoss = if case .lost = incident { true } else { false }
      StandardError.print(isLoss ? "\(incident); shutting down the server" : "\(incident)")
      switch incident {
      case .replaced(let failure): metrics.count(failure)
      case .alarm: metrics.countAlarm()
      case .notRenewed: break
      case .lost:
        // Only a restart of the program, by its supervisor, restores the workers.
        isDraining.update { $0 = true }
        hasLostWorkers.update { $0 = true }
        kill(getpid(), SIGTERM)
      }
    }
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
    StandardError.print("shutting down; requests in flight: \(metrics.inFlightCount)")
    isDraining.update { $0 = true }
    let isLost = hasLostWorkers.withLock(\.self)
    if let drainDelay, !isLost { SystemThread.sleep(for: drainDelay) }
    let isDrained = server.shutDown()
    if !isDrained {
      // `print` goes through the log writer, so a stalled reader of the log cannot block the exit.
      StandardError.print(
        "shutdown: unfinished requests were cut off when the grace period ended (see --grace)")
    }
    return isDrained && !isLost
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
  func serverLimits(decoding: inout Int) throws(CommandError) -> ServerLimits {
    let resources = SystemResources.current
    var limits = ServerLimits(
      memory: resources.memoryByteCount, processors: resources.processorCount, workers: jobs,
      decoding: &decoding, largestBody: self.limits.byteCount)
    limits.connectionCount = connectionCount
    let spare = SpareResources(
      upToDescriptors: limits.descriptorCount, threads: limits.threadCount)
    if let shortage = spare.shortage(ofThreads: limits.baseThreadCount + 10) {
      throw .failed(shortage)
    }
    let wanted = limits.connectionCount
    limits.fit(spare)
    if limits.connectionCount < wanted {
      StandardError.print(
        "\(limits.connectionCount) connections instead of \(wanted), for lack of descriptors, "
          + "threads or memory")
    }
    limits.idleTimeout = keepAlive
    limits.queueLength = queueLength ?? limits.queueLength
    limits.queueTimeout = self.limits.timeout
    // A longer time limit for an image needs a longer deadline for its request.
    limits.requestTimeout += max(.zero, self.limits.timeout - Self.defaultLimits.timeout) * 10
    limits.grace = grace
    return limits
  }
}

extension OptionValue<ListenAddress> {
  fileprivate static var address: Self {
    OptionValue(allowed: "HOST:PORT, with a PORT up to 65535, or unix:PATH") {
      ListenAddress($0.text)
    }
  }
}
