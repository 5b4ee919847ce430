import LqipTestSupport
import Testing

@testable import LqipService
@testable import LqipSystem

/// Tests over sockets, which run one at a time so that deadlines hold on a busy machine.
@Suite(.serialized) enum ServerTests {
  /// A request smuggled in or after a body, which the server must not answer if the framing is
  /// ambiguous.
  static let smuggledRequest = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
}

/// A test server on a free local port.
final class TestServer {
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

    /// Returns false if fewer threads have reached the gate after 20 seconds.
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
      var previewQueue = 0
    }

    let metrics = Metrics()
    private let summaries = Monitor<[RequestSummary]>([])

    var log: AccessLog {
      AccessLog { [summaries] summary in summaries.update { $0.append(summary) } }
    }

    var entries: Entries {
      let counts = metrics.counts.withLock(\.self)
      let summaries = summaries.withLock(\.self)
      let server = metrics.server.withLock(\.self)
      return Entries(
        summaries: summaries.filter { $0.outcome != "malformed" },
        closedConnections: counts.closedConnections.flatMap {
          Array(repeating: $0.key, count: $0.value)
        },
        malformedClients: summaries.filter { $0.outcome == "malformed" }.map { $0.client ?? "" },
        connections: server?.reaper.connectionCount ?? 0,
        queue: server?.workers.queue.length ?? 0, previewQueue: server?.drawing.length ?? 0)
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

  /// The gate that `/hold` and `/draw` wait for.
  let gate = Gate()
  let journal = Journal()
  private let requests = Monitor<[String]>([])
  let server: HTTPServer
  let socket: ListenSocket

  init(
    _ limits: ServerLimits = ServerLimits(), trustsForwarded: Bool = false,
    address: String = "127.0.0.1:0"
  ) throws {
    guard let address = ListenAddress(address) else { throw RawClient.Failure(reason: address) }
    socket = try ListenSocket(address)
    let seen = requests
    /// Returns a route that records its requests.
    func route(
      _ path: String, _ work: RequestHandler.Work = .drawing, upTo maximum: Int = 0,
      respond: @escaping @Sendable (_ head: RequestHead, _ body: [UInt8]) -> Response
    ) -> Route {
      Route(path: path, methods: ["GET", "HEAD", "POST", "BREW"]) { head in
        .handle(
          RequestHandler(work: work, maximumBodyByteCount: maximum) { body, _ in
            seen.update { $0.append("\(head.method) \(head.path)") }
            return respond(head, body.array)
          })
      }
    }
    let routes = [
      route("/echo", upTo: 1000) { head, body in
        let query = head.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return Response(status: 200, fields: query.isEmpty ? [] : [("x-query", query)], body: body)
      },
      route("/upload", upTo: 1_000_000) { _, _ in Response(status: 200, fields: [], body: []) },
      route("/hold", .encoding, upTo: 1000) { [gate] _, body in
        gate.pass()
        return Response(status: 200, fields: [], body: body)
      },
      route("/draw") { [gate] _, body in
        gate.pass()
        return Response(status: 200, fields: [], body: body)
      },
      route("/health") { _, _ in
        Response(
          status: 200, fields: [], body: Array("fine".utf8), decodingTime: .microseconds(1500))
      },
      // Larger than the socket buffers.
      route("/large") { _, _ in
        Response(status: 200, fields: [], body: [UInt8](repeating: 0, count: 32 << 20))
      },
    ]
    let context = ServerContext(
      router: Router(routes: routes), workers: .here, limits: limits,
      trustsForwarded: trustsForwarded, metrics: journal.metrics, log: journal.log)
    server = try HTTPServer(context, on: [socket])
  }

  /// Opens a connection to the server, and sends text.
  func client(sending text: String = "") throws -> RawClient {
    let client = try RawClient(port: socket.port ?? 0)
    client.send(text)
    return client
  }

  /// Checks that bytes get a problem that closes the connection, and that no request in them or after
  /// them reaches a route.
  func expectRefusal(of bytes: String, status: Int, code: String = "bad_request") throws {
    let client = try client(sending: bytes + ServerTests.smuggledRequest)
    let response = try client.response()
    #expect(response.status == status)
    #expect(response.code == code)
    #expect(response.fields["content-type"] == "application/problem+json")
    #expect(response.fields["connection"] == "close")
    client.finishSending()
    #expect(try client.isClosed())
    #expect(seen.isEmpty)
    let id = response.fields["x-request-id"]
    #expect(journal.wait { $0.summaries.contains { $0.id == id && $0.status == status } })
  }

  /// The requests that reached a route, in order.
  var seen: [String] {
    requests.withLock { $0 }
  }
}
