internal import LqipFiles
internal import LqipOptions
internal import LqipService

/// Answers requests over HTTP until it is told to end.
struct ServeCommand: Command {
  var address: ListenAddress?
  var certificate: FilePath?
  var key: FilePath?
  var tokenFile: FilePath?
  var isOpen = false
  var origins: [String] = []
  var limits = defaultLimits
  var jobs = ServerLimits().decodeSlotCount
  var queueLength: Int?
  var connectionCount = ServerLimits().connectionCount
  var grace = ServerLimits().grace
  var log = AccessLog.Format.json

  static let name = "serve"
  static let summary = "Answer requests over HTTP: images in, placeholders out."
  static let operand = ""
  static let discussion = """
    POST an image to /v1/encode for its record, or a form of images for an array of records; the \
    options of 'lqip encode' are parameters of the query. GET /v1/decode?blurhash=... or ?lqip=... \
    draws a preview. A page to try this is at /, the description of all there is at /openapi.json.

    What works and what counts, /v1/ and /metrics, is open to whoever reaches the address, or \
    to those only who send a token of the '--token-file' as 'Authorization: Bearer TOKEN'. \
    Without such a file the server does not listen where other machines can reach it, unless it \
    is told '--no-auth'.

    SIGHUP reads the tokens again. SIGTERM and SIGINT end the server after the requests under way.

    The exit code is 0 if all of them were answered, 1 if some were not or the server could not \
    start, and 2 if the command line is wrong.
    """

  private static let defaultLimits: LimitOptions = {
    var limits = LimitOptions()
    limits.byteCount = ServerLimits().bodyByteCount
    limits.timeout = .seconds(5)
    limits.patience = 2
    return limits
  }()

  private static let defaultAddress = ListenAddress.network(host: "127.0.0.1", port: 8080)

  static let options =
    socketOptions
    + LimitOptions.table(of: "bodies", defaults: defaultLimits).map { $0.lifted(to: \.limits) }
    + workOptions

  /// Where to listen, and to whom.
  private static let socketOptions: [CommandOption<Self>] = [
    .value(
      "--listen", "ADDRESS", \.address, .address,
      help: "Listen on HOST:PORT or unix:PATH. Default: a socket that systemd hands over, or "
        + "\(defaultAddress)."),
    .value(
      "--tls-cert", "FILE", \.certificate, .path,
      help: "Speak HTTPS with this chain of certificates, in PEM."),
    .value("--tls-key", "FILE", \.key, .path, help: "The key of the certificate, in PEM."),
    .value(
      "--token-file", "FILE", \.tokenFile, .path,
      help: "Ask for one of the tokens in FILE, one a line."),
    .flag("--no-auth", \.isOpen, help: "Let everybody in who reaches the address."),
    .list(
      "--cors-origin", "ORIGIN", \.origins, .origin,
      help: "Let pages of ORIGIN use the server, '*' for any; may be given several times."),
  ]

  /// How much to do at a time.
  private static let workOptions: [CommandOption<Self>] = [
    .value(
      "--jobs", short: "j", "N", \.jobs, .integer(in: 1...1024),
      help: "Decode for at most N requests at a time; default: the number of cores."),
    .value(
      "--queue", "N", \.queueLength, .integer(in: 0...65_536),
      help: "Let N requests more wait to be decoded, and refuse others; default: 4 for each job."),
    .value(
      "--max-connections", "N", \.connectionCount, .integer(in: 16...65_536),
      help: "Hold at most N connections. Default: \(ServerLimits().connectionCount)."),
    .value(
      "--grace", "SECONDS", \.grace, .seconds,
      help: "Wait for requests under way when told to end. "
        + "Default: \(ServerLimits().grace.components.seconds)."),
    .value(
      "--log", "FORMAT", \.log, .choice,
      help: "Write a line a request to standard error: 'json' (default), 'text', or 'none'."),
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    throw .unexpectedOperand(operand.text)
  }

  func validate() throws(UsageError) {
    guard (certificate == nil) == (key == nil) else {
      throw .conflict("'--tls-cert' and '--tls-key' need each other")
    }
    guard tokenFile == nil || !isOpen else {
      throw .conflict("'--no-auth' and '--token-file' contradict each other")
    }
  }

  @MainActor
  func run() async throws(CommandError) -> ExitStatus {
    Memory.share(among: 2 * jobs)
    let tokens = try tokenFile.map { path throws(CommandError) in try TokenFile(path) }
    let signals = try observeSignals(reloading: tokens)
    let readiness = Readiness()
    let server = try start(tokens, readiness)
    signals.wait()
    readiness.drain()
    guard server.shutDown() else {
      throw .failed("some requests were not answered when the time was over")
    }
    return .success
  }

  private func observeSignals(reloading tokens: TokenFile?) throws(CommandError) -> SignalObserver {
    do {
      return try SignalObserver { tokens?.reload() }
    } catch {
      throw .failed("cannot observe signals: \(error)")
    }
  }

  private func start(
    _ tokens: TokenFile?, _ readiness: Readiness
  ) throws(CommandError) -> HTTPServer {
    let identity = try identity
    let metrics = Metrics()
    let router = Router(
      limits: limits, tokens: tokens, origins: origins, metrics: metrics, readiness: readiness)
    do throws(ServerError) {
      let socket = try socket
      guard socket.isPrivate || tokens != nil || isOpen else { throw .unguarded(socket.name) }
      let server = try HTTPServer(
        router, on: socket, limits: serverLimits, identity: identity, metrics: metrics,
        log: AccessLog(format: log))
      StandardError.print("listening on \(socket.name)")
      return server
    } catch {
      throw .failed("\(error)")
    }
  }

  private var socket: ListenSocket {
    get throws(ServerError) {
      if let address { return try ListenSocket(address) }
      let inherited = try ListenSocket { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
      }
      if let inherited { return inherited }
      return try ListenSocket(Self.defaultAddress)
    }
  }

  private var serverLimits: ServerLimits {
    var limits = ServerLimits()
    limits.bodyByteCount = self.limits.byteCount
    limits.bufferedByteCount = max(limits.bufferedByteCount, self.limits.byteCount)
    limits.connectionCount = connectionCount
    limits.decodeSlotCount = jobs
    limits.decodeQueueLength = queueLength ?? 4 * jobs
    limits.decodeQueueDeadline = self.limits.timeout
    // An image that may take longer must have the time to.
    limits.requestDeadline += (self.limits.timeout - Self.defaultLimits.timeout) * 3
    limits.grace = grace
    return limits
  }

  private var identity: TLSIdentity? {
    get throws(CommandError) {
      guard let certificate, let key else { return nil }
      return TLSIdentity(
        certificate: try Self.content(of: certificate), key: try Self.content(of: key))
    }
  }

  private static func content(of path: FilePath) throws(CommandError) -> [UInt8] {
    let reason: String
    do {
      if let file = try RegularFile(opening: path, followsLinks: true) {
        return file.descriptor.read(upTo: file.status.byteCount)
      }
      reason = "not a regular file"
    } catch {
      reason = "\(error)"
    }
    throw .failed("cannot read \(path): \(reason)")
  }
}

extension OptionValue<ListenAddress> {
  /// Where to listen.
  fileprivate static var address: Self {
    OptionValue(allowed: "HOST:PORT or unix:PATH") { ListenAddress($0.text) }
  }
}
