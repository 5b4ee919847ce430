import LqipTestSupport
import PlaceholdersTestSupport
import Foundation

@testable import LqipSystem
@testable import LqipService

/// A test server on a free local port.
final class TestServer {
  /// A route that records its requests; its response is the body of the request by default.
  struct TestRoute {
    let path: String
    let seen: Monitor<[String]>
    var work = RequestHandler.Work.drawing
    var maximum = 1000
    var respond: @Sendable (_ head: RequestHead, _ body: [UInt8]) -> Response = { head, body in
      let query = head.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      return Response(status: 200, fields: query.isEmpty ? [] : [("x-query", query)], body: body)
    }

    var route: Route {
      Route(path: path, methods: ["GET", "HEAD", "POST", "BREW"]) { head in
        .handle(
          RequestHandler(work: work, maximumBodyByteCount: maximum) { body, _ in
            seen.update { $0.append("\(head.method) \(head.path)") }
            return respond(head, body.array)
          })
      }
    }
  }

  /// A gate that blocks threads until it is opened.
  final class Gate: Sendable {
    private let state = Monitor((waiting: 0, isOpen: false))

    func pass() {
      state.update { $0.waiting += 1 }
      _ = state.wait(until: .now + .seconds(20)) { $0.isOpen ? true : nil }
    }

    func open() {
      state.update { $0.isOpen = true }
    }

    /// Waits until this many threads have reached the gate; returns false after 20 seconds.
    func waitForArrivals(_ count: Int) -> Bool {
      state.wait(until: .now + .seconds(20)) { $0.waiting >= count ? true : nil } ?? false
    }
  }

  /// The requests and connections that the server logged and counted.
  final class Journal: Sendable {
    struct Entries {
      var summaries: [RequestSummary] = []
      var closedConnections: [CloseReason] = []
      var malformedClients: [String] = []
      var connections = 0
      var queue = 0
    }

    let metrics = Metrics()
    private let summaries = Monitor<[RequestSummary]>([])

    var log: AccessLog {
      AccessLog { [summaries] summary in summaries.update { $0.append(summary) } }
    }

    var entries: Entries {
      let counts = metrics.counts.withLock(\.self)
      let summaries = summaries.withLock(\.self)
      return Entries(
        summaries: summaries.filter { $0.outcome != "malformed" },
        closedConnections: counts.closedConnections.flatMap {
          Array(repeating: $0.key, count: $0.value)
        },
        malformedClients: summaries.filter { $0.outcome == "malformed" }.map { $0.client ?? "" },
        connections: counts.connections, queue: counts.queueLengths[.encoding] ?? 0)
    }

    /// Waits until a condition holds; returns false after 20 seconds.
    func wait(for condition: (Entries) -> Bool) -> Bool {
      let deadline = MonotonicTime.now + .seconds(20)
      while !condition(entries) {
        guard .now < deadline else { return false }
        SystemThread.sleep(for: .milliseconds(2))
      }
      return true
    }
  }

  /// The gate that `/hold` waits for.
  let gate = Gate()
  let journal = Journal()
  private let requests = Monitor<[String]>([])
  private(set) var server: HTTPServer?
  let socket: ListenSocket

  init(
    _ limits: ServerLimits = ServerLimits(), maximum: Int = 1000,
    trustsForwarded: Bool = false, address: String = "127.0.0.1:0"
  ) throws {
    guard let address = ListenAddress(address) else { throw RawClient.Failure(reason: address) }
    socket = try ListenSocket(address)
    let routes = [
      TestRoute(path: "/echo", seen: requests, maximum: maximum),
      TestRoute(path: "/hold", seen: requests, work: .encoding, maximum: maximum) {
        [gate] _, body in
        gate.pass()
        return Response(status: 200, fields: [], body: body)
      },
      TestRoute(path: "/health", seen: requests, maximum: 0) { _, _ in
        Response(
          status: 200, fields: [], body: Array("fine".utf8), decodingTime: .microseconds(1500))
      },
      // Larger than the socket buffers.
      TestRoute(path: "/large", seen: requests) { _, _ in
        Response(status: 200, fields: [], body: [UInt8](repeating: 0, count: 32 << 20))
      },
    ]
    server = try HTTPServer(
      routes: Router(routes: routes.map(\.route)), workers: .here, on: [socket], limits: limits,
      trustsForwarded: trustsForwarded, metrics: journal.metrics, log: journal.log)
  }

  /// Releases the server, but not its socket.
  func releaseServer() {
    server = nil
  }

  /// Opens a connection to the server.
  func client() throws -> RawClient {
    try RawClient(port: socket.port ?? 0)
  }

  /// The requests that reached a route, in order.
  var seen: [String] {
    requests.withLock { $0 }
  }
}
