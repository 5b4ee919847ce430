internal import LqipFiles
internal import LqipOptions
internal import LqipService

/// Serves requests over HTTP until a signal ends it.
struct ServeCommand: Command {
  var address: ListenAddress?
  var adminAddress: ListenAddress?
  var trustsForwarded = false
  var certificate: FilePath?
  var key: FilePath?
  var tokenFile: FilePath?
  var isOpen = false
  var origins: [String] = []
  var limits = defaultLimits
  var jobs: Int?
  var queueLength: Int?
  var connectionCount = ServerLimits().connectionCount
  var connectionCountPerAddress: Int?
  var keepAlive = ServerLimits().idleDeadline
  var drainDelay: Duration?
  var grace = ServerLimits().grace
  var log = AccessLog.Format.json

  static let name = "serve"
  static let summary = "Answer requests over HTTP: images in, placeholders out."
  static let operand = ""
  static let readsEnvironment = true
  static let discussion = """
    POST an image to /v1/encode for its record, or a form of images for an array of records; the \
    options of 'lqip encode' are parameters of the query. GET /v1/decode?blurhash=..., or with \
    lqip=, thumbhash= or css=, draws a preview. A page to try this is at /, the description of all \
    there is at /openapi.json.

    /v1/ and /metrics are open to anyone who can connect, unless '--token-file' is given; then a \
    request must send one of its tokens as 'Authorization: Bearer TOKEN'. Without '--token-file', \
    the server listens where other machines can reach it only with '--no-auth'.

    SIGHUP reads the tokens again, and the certificate and its key. SIGTERM and SIGINT end the \
    server after the requests under way; a second one ends it at once.

    An option that is not given is taken from the environment: --max-bytes from LQIP_MAX_BYTES, \
    and a flag such as --no-auth from LQIP_NO_AUTH=true. Another variable whose name begins with \
    LQIP_ gets a warning.

    The exit code is 0 if all requests were answered, 1 if some were not or the server could not \
    start, and 2 if the command line is wrong.
    """

  static let defaultLimits: LimitOptions = {
    var limits = LimitOptions()
    limits.byteCount = ServerLimits().bodyByteCount
    limits.timeout = .seconds(5)
    limits.wallTimeFactor = 2
    return limits
  }()

  /// Where nobody has to show a token, one client must not take all the places.
  static let openConnectionCountPerAddress = 64

  static let defaultAddress = ListenAddress.network(host: "127.0.0.1", port: 8080)

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
      "--listen-admin", "ADDRESS", \.adminAddress, .address,
      help: "Have /metrics, /healthz and /readyz at HOST:PORT or unix:PATH too, and /metrics "
        + "only there; without a token where only this machine can connect."),
    .flag(
      "--trust-forwarded", \.trustsForwarded,
      help: "Log the last address of X-Forwarded-For as the client's, as a proxy sends it."),
    .value(
      "--tls-cert", "FILE", \.certificate, .path,
      help: "Speak HTTPS with this chain of certificates, in PEM."),
    .value("--tls-key", "FILE", \.key, .path, help: "The key of the certificate, in PEM."),
    .value(
      "--token-file", "FILE", \.tokenFile, .path,
      help: "Ask for one of the tokens in FILE, one a line."),
    .flag("--no-auth", \.isOpen, help: "Accept requests without a token on any address."),
    .list(
      "--cors-origin", "ORIGIN", \.origins, .origin,
      help: "Let pages of ORIGIN use the server, '*' for any; may be given several times."),
  ]

  /// How much to do at a time.
  private static let workOptions: [CommandOption<Self>] = [
    .value(
      "--jobs", short: "j", "N", \.jobs, .integer(in: 1...1024),
      help: "Decode for at most N requests at a time, 1 to 1024; default: one for each processor, "
        + "plus one if there are several and memory allows; fewer where memory is short."),
    .value(
      "--queue", "N", \.queueLength, .integer(in: 0...65_536),
      help: "Let N requests more wait to be decoded, up to 65536, and refuse others; default: 4 "
        + "for each job."),
    .value(
      "--max-connections", "N", \.connectionCount, .integer(in: 16...65_536),
      help: "Hold at most N connections, 16 to 65536. Default: "
        + "\(ServerLimits().connectionCount), or as many as the limit of open files bears."),
    .value(
      "--max-connections-per-address", "N", \.connectionCountPerAddress,
      .integer(in: 0...65_536),
      help: "Hold at most N connections of one address, up to 65536; 0 for any number. Default: "
        + "\(openConnectionCountPerAddress) with '--no-auth' where other machines can connect, or "
        + "else 0."),
    .value(
      "--keep-alive", "SECONDS", \.keepAlive, .seconds,
      help: "Keep a connection for its next request, up to 86400 seconds; longer than a proxy "
        + "does. Default: \(ServerLimits().idleDeadline.components.seconds)."),
    .value(
      "--drain-delay", "SECONDS", \.drainDelay, .seconds,
      help: "When told to end, go on for up to 86400 seconds while /readyz says 503. Default: "
        + "none."),
    .value(
      "--grace", "SECONDS", \.grace, .seconds,
      help: "Wait for requests under way when told to end, up to 86400 seconds. "
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
}

extension OptionValue<ListenAddress> {
  /// Where to listen.
  fileprivate static var address: Self {
    OptionValue(allowed: "HOST:PORT or unix:PATH") { ListenAddress($0.text) }
  }
}
