import LqipTestSupport
import Testing

@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

/// The complete server on a free local port.
struct RunningServer {
  let url: String
  private let server: HTTPServer

  init() throws {
    let socket = try ListenSocket(.network(host: "127.0.0.1", port: 0))
    let router = Router(
      limits: LimitOptions(), tokens: nil, origins: [], metrics: Metrics(),
      isDraining: Monitor(false))
    server = try HTTPServer(routes: router, workers: .here, on: [socket], limits: ServerLimits())
    url = "http://\(socket.name)"
  }
}
