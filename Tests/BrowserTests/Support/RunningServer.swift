import LqipTestSupport
import Testing

@testable import LqipOptions
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
    server = try HTTPServer(
      ServerContext(router: router, workers: .here, limits: ServerLimits()), on: [socket])
    url = "http://\(socket.name)"
  }
}
