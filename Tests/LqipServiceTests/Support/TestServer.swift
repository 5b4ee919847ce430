import LqipTestSupport
import PlaceholdersTestSupport
import Foundation

@testable import LqipSystem
@testable import LqipService

/// A test server on a free local port.
final class TestServer {
  /// A responder that echoes bodies and records requests.
  struct EchoResponder: Responder {
    let seen = Monitor<[String]>([])
    /// The gate that `/hold` waits for.
    let gate = Gate()
    var maximum = 1000

    func admit(_ head: RequestHead) -> (Acceptance, route: String?) {
      let isHold = head.path == "/hold"
      let isHealth = head.path == "/health"
      guard ["/echo", "/hold", "/health", "/large"].contains(head.path) else {
        let problem = Problem(status: 404, code: "not_found", detail: "no such path")
        return (.answer(problem.response), nil)
      }
      let handler = RequestHandler(
        work: isHold ? .encoding : .drawing, maximumBodyByteCount: isHealth ? 0 : maximum
      ) { body, _ in
        seen.update { $0.append("\(head.method) \(head.path)") }
        if isHold { gate.pass() }
        // Larger than the socket buffers.
        if head.path == "/large" {
          return Response(status: 200, fields: [], body: [UInt8](repeating: 0, count: 32 << 20))
        }
        guard !isHealth else {
          return Response(
            status: 200, fields: [], body: Array("fine".utf8), decodingTime: .microseconds(1500))
        }
        let query = head.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return Response(
          status: 200, fields: query.isEmpty ? [] : [("x-query", query)], body: body.array)
      }
      return (.handle(handler), head.path)
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

    /// Waits until a number of threads have reached the gate.
    func waitForArrivals(_ count: Int) -> Bool {
      state.wait(until: .now + .seconds(20)) { $0.waiting >= count ? true : nil } ?? false
    }
  }

  /// An observer that records events.
  final class Journal: ServerObserver {
    struct Entries {
      var summaries: [RequestSummary] = []
      var cuts: [DeadlineReaper.Cut] = []
      var unreadable: [String] = []
      var connections = 0
      var queue = 0
    }

    let entries = Monitor(Entries())

    func observe(_ event: ServerEvent) {
      entries.update { entries in
        switch event {
        case .connectionOpened: entries.connections += 1
        case .connectionClosed: entries.connections -= 1
        case .connectionCut(let reason): entries.cuts.append(reason)
        case .connectionUnreadable(let client): entries.unreadable.append(client ?? "")
        case .requestFinished(let summary): entries.summaries.append(summary)
        case .queueChanged(.encoding, let length): entries.queue = length
        default: break
        }
      }
    }

    /// Waits until a condition holds.
    func wait(for condition: (Entries) -> Bool) -> Bool {
      entries.wait(until: .now + .seconds(20)) { condition($0) ? true : nil } ?? false
    }
  }

  let responder: EchoResponder
  let journal = Journal()
  private(set) var server: HTTPServer?
  let socket: ListenSocket

  init(
    _ limits: ServerLimits = ServerLimits(), maximum: Int = 1000,
    trustsForwarded: Bool = false, address: String = "127.0.0.1:0"
  ) throws {
    var responder = EchoResponder()
    responder.maximum = maximum
    self.responder = responder
    guard let address = ListenAddress(address) else { throw RawClient.Failure(reason: address) }
    socket = try ListenSocket(address)
    server = try HTTPServer(
      responder, workers: .here, on: [socket], limits: limits,
      trustsForwarded: trustsForwarded, observers: [journal])
  }

  /// Releases the server, but not its socket.
  func drop() {
    server = nil
  }

  /// Opens a connection to the server.
  func client() throws -> RawClient {
    try RawClient(port: socket.port ?? 0)
  }

  /// The requests that reached the responder, in order.
  var seen: [String] {
    responder.seen.withLock { $0 }
  }
}
