import LqipTestSupport
import PlaceholdersTestSupport
import Foundation

@testable import LqipFiles
@testable import LqipService

/// A server that answers on a free port of this machine.
final class TestServer {
  /// Echoes, and remembers what it was asked.
  struct EchoResponder: Responder {
    let seen = Monitor<[String]>([])
    /// What `/hold` waits for.
    let gate = Gate()
    var maximum = 1000

    func admit(_ head: RequestHead) -> Admission {
      switch head.path {
      case "/echo":
        .accept(route: "/echo", maximumBodyByteCount: maximum, decodes: false)
      case "/hold":
        .accept(route: "/hold", maximumBodyByteCount: maximum, decodes: true)
      case "/health":
        .accept(route: "/health", maximumBodyByteCount: 0, decodes: false)
      default:
        .refuse(Problem(status: 404, code: "not_found", detail: "no such path").response)
      }
    }

    func respond(to request: Request) -> Response {
      seen.update { $0.append("\(request.head.method) \(request.head.path)") }
      if request.head.path == "/hold" { gate.pass() }
      if request.head.path == "/health" {
        return Response(
          status: 200, fields: [], body: Array("fine".utf8), decodingTime: .microseconds(1500))
      }
      let query = request.head.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      return Response(
        status: 200, fields: query.isEmpty ? [] : [("x-query", query)], body: request.body.array)
    }
  }

  /// Holds threads until it is opened.
  final class Gate: Sendable {
    private let state = Monitor((waiting: 0, isOpen: false))

    func pass() {
      state.update { $0.waiting += 1 }
      _ = state.wait(until: .now + .seconds(20)) { $0.isOpen ? true : nil }
    }

    func open() {
      state.update { $0.isOpen = true }
    }

    /// Waits until so many threads have come to the gate.
    func waitForArrivals(_ count: Int) -> Bool {
      state.wait(until: .now + .seconds(20)) { $0.waiting >= count ? true : nil } ?? false
    }
  }

  /// Remembers what it was told.
  final class Journal: ServerObserver {
    struct Entries {
      var summaries: [RequestSummary] = []
      var cuts: [DeadlineReaper.Cut] = []
      var unreadable: [String] = []
      var connections = 0
      var queue = 0
    }

    let entries = Monitor(Entries())

    func connectionOpened() { entries.update { $0.connections += 1 } }
    func connectionClosed() { entries.update { $0.connections -= 1 } }
    func connectionCut(_ reason: DeadlineReaper.Cut) { entries.update { $0.cuts.append(reason) } }
    func connectionUnreadable(_ address: ClientAddress?) {
      entries.update { $0.unreadable.append(address?.description ?? "") }
    }
    func requestFinished(_ summary: RequestSummary) {
      entries.update { $0.summaries.append(summary) }
    }
    func queueChanged(length: Int) { entries.update { $0.queue = length } }

    /// Waits until something holds.
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

  /// Lets go of the server, but not of its socket.
  func drop() {
    server = nil
  }

  /// A new connection to the server.
  func client() throws -> RawClient {
    try RawClient(port: socket.port ?? 0)
  }

  /// What the responder was asked, in order.
  var seen: [String] {
    responder.seen.withLock { $0 }
  }
}
