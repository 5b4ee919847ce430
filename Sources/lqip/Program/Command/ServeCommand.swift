import LqipSystem
import LqipRecords
import LqipService

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
    "Limits": LimitOptions.table(of: "body", defaults: defaultLimits).lifted(to: \.limits)
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
}

extension OptionValue<ListenAddress> {
  fileprivate static var address: Self {
    OptionValue(allowed: "HOST:PORT or unix:PATH") { ListenAddress($0.text) }
  }
}
