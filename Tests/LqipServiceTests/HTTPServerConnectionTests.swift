import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipService
@testable import LqipSystem

extension ServerTests {
  /// Tests of the connection limit and of eviction.
  @Suite struct HTTPServerConnectionTests {
    private static let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `a slow upload is evicted to make room for a new request`() throws {
      var limits = ServerLimits()
      limits.connectionCount = 20
      let server = try TestServer(limits)
      let slow = try (1...20).map { _ in
        try server.client(
          sending: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx")
      }
      #expect(server.journal.wait { $0.connections == 20 })
      // No request counts as slow during its first second.
      SystemThread.sleep(for: TrackedConnection.newTime + .milliseconds(100))
      #expect(try server.client(sending: Self.request).response().status == 200)
      #expect(
        server.journal.wait {
          $0.closedConnections == [.crowded]
            && $0.summaries.map(\.outcome).sorted() == ["busy", "ok"]
        })
      withExtendedLifetime(slow) {}
    }

    @Test func `if all uploads are fast, a new client gets 503`() throws {
      var limits = ServerLimits()
      limits.connectionCount = 10
      let server = try TestServer(limits)
      let fast = try (1...10).map { _ in
        let client = try server.client(
          sending: "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        client.send([UInt8](repeating: 0, count: 900_000))
        return client
      }
      // By then, the server has read what was sent.
      SystemThread.sleep(for: TrackedConnection.newTime + .milliseconds(100))
      for _ in 0..<20 {
        #expect(try server.client(sending: Self.request).response().status == 503)
      }
      withExtendedLifetime(fast) {}
    }

    @Test(
      arguments: [
        "", "GET /health HT", "GET /health HTTP/1.1\r\nHost: a\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
      ], [false, true])
    func `a new client is served despite ten times as many connections as the limit`(
      beginning: String, isLocal: Bool
    ) throws {
      let directory = TemporaryDirectory()
      let path = directory.file("socket")
      var limits = ServerLimits()
      limits.connectionCount = 16
      let server = try TestServer(limits, address: isLocal ? "unix:\(path)" : "127.0.0.1:0")
      func connected() throws -> RawClient {
        isLocal ? try RawClient(path: path) : try server.client()
      }
      var crowd: [RawClient] = []
      for _ in 1...160 {
        let client = try connected()
        client.send(beginning)
        crowd.append(client)
      }
      let client = try connected()
      client.send(Self.request)
      #expect(try client.response().status == 200)
      #expect(server.journal.wait { $0.connections <= limits.connectionCount })
      withExtendedLifetime(crowd) {}
    }

    @Test func `simultaneous clients up to the queue limit are all answered`() throws {
      var limits = ServerLimits()
      // One in eight connections can wait.
      limits.connectionCount = 8 * 400
      let server = try TestServer(limits)
      let clients = try (1...400).map { _ in try server.client(sending: Self.request) }
      for client in clients { #expect(try client.response().status == 200) }
      #expect(server.journal.entries.closedConnections.isEmpty)
    }
  }
}
