import Foundation
import LqipTestSupport
import Testing

@testable import LqipService

extension ServerTests {
  @Suite struct DeadlineReaperTests {
    /// Starts a server with short deadlines, which still suffice for a client's first bytes on a
    /// busy machine.
    private func server() throws -> TestServer {
      var limits = ServerLimits()
      limits.headTimeout = .seconds(2)
      limits.bodyTimeout = .seconds(2)
      limits.idleTimeout = .seconds(2)
      return try TestServer(limits)
    }

    /// Sends single bytes until the server closes the connection, and returns whether it stayed
    /// open for 20 seconds.
    private func drip(_ byte: String, to client: RawClient) -> Bool {
      for _ in 1...400 {
        guard client.send(byte) == 1 else { return false }
        usleep(50_000)
      }
      return true
    }

    @Test(arguments: [
      ("GET /health HTTP/1.1\r\nHost: a\r\nX: ", "x", CloseReason.slowHead),
      ("GET /health HTTP/1.1\r\nHost: a\r\nX", "x", .slowHead),
      ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n", "x", .slowBody),
      ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "0", .slowBody),
      (
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n", "x", .slowBody
      ),
      (
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX", "x", .slowBody
      ),
    ])
    func `a slow request gets 408`(start: String, byte: String, reason: CloseReason) throws {
      let server = try server()
      let client = try server.client(sending: start)
      #expect(!drip(byte, to: client))
      let response = try client.response()
      #expect(response.status == 408)
      #expect(response.code == "slow_client")
      #expect(try client.isClosed())
      #expect(server.journal.wait { $0.summaries.map(\.status) == [408] && $0.connections == 0 })
      #expect(server.journal.entries.closedConnections == [reason])
      #expect(server.seen.isEmpty)
    }

    @Test func `a client that waits for 100-continue and sends no body gets one 408`() throws {
      let server = try server()
      let client = try server.client(
        sending: "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
          + "Content-Length: 5\r\n\r\n")
      #expect(try client.response().status == 100)
      let response = try client.response()
      #expect(response.status == 408)
      #expect(response.code == "slow_client")
      #expect(response.fields["connection"] == "close")
      #expect(try client.isClosed())
      #expect(server.journal.wait { $0.summaries.map(\.status) == [408] && $0.connections == 0 })
      #expect(server.journal.entries.closedConnections == [.slowBody])
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: ["", "GET /health HT", "\r\n", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"])
    func `a connection that is idle before, within or after a request line is closed`(
      start: String
    ) throws {
      let server = try server()
      let client = try server.client(sending: start)
      if start.hasSuffix("\r\n\r\n") { #expect(try client.response().status == 200) }
      #expect(try client.isClosed())
      #expect(server.journal.wait { $0.connections == 0 })
      #expect(server.journal.entries.closedConnections == [.idle])
    }

    @Test func `a slowly sent request line closes the connection without a response`() throws {
      let server = try server()
      let client = try server.client()
      #expect(!drip("G", to: client))
      #expect(try client.isClosed())
      #expect(server.journal.entries.closedConnections == [.idle])
    }

    @Test func `a client that does not read its response is disconnected`() throws {
      var limits = ServerLimits()
      limits.requestTimeout = .seconds(2)
      let server = try TestServer(limits)
      let client = try server.client(sending: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(server.journal.wait { $0.closedConnections == [.slowAnswer] })
      #expect(server.journal.wait { $0.summaries.map(\.outcome) == ["aborted"] })
      withExtendedLifetime(client) {}
    }

    @Test func `a request sent in single bytes completes within its deadlines`() throws {
      let server = try TestServer()
      let client = try server.client()
      for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" {
        client.send(String(byte))
      }
      #expect(try client.response().status == 200)
      #expect(server.journal.entries.closedConnections.isEmpty)
    }
  }
}
