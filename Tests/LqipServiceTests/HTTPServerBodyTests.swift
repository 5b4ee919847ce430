import LqipSystem
import LqipTestSupport
import Testing

@testable import LqipService

extension ServerTests {
  /// Tests of receiving request bodies, and of the queue for workers.
  @Suite struct HTTPServerBodyTests {
    private static let head = "POST /echo HTTP/1.1\r\nHost: a\r\n"
    private static let held = "POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"

    @Test(arguments: [
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue",
      "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1",
      "GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked",
    ])
    func `a body above the limit of its route gets 413`(head: String) throws {
      try TestServer().expectRefusal(of: "\(head)\r\n\r\n", status: 413, code: "too_large")
    }

    @Test func `a chunked body above the limit gets 413 and closes the connection`() throws {
      let chunk = "258\r\n\(String(repeating: "x", count: 600))\r\n"
      try TestServer().expectRefusal(
        of: "\(Self.head)Transfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)0\r\n\r\n",
        status: 413, code: "too_large")
    }

    @Test(arguments: ["Content-Length: 32000000", "Transfer-Encoding: chunked"])
    func `a client that keeps sending still receives 413`(framing: String) throws {
      // The server does not wait for these bytes while they are made.
      let chunk = Array("3e8\r\n\(String(repeating: "x", count: 1000))\r\n".utf8)
      let bytes = Array(repeatElement(chunk, count: 31_000).joined())
      let server = try TestServer()
      let client = try server.client(sending: "\(Self.head)\(framing)\r\n\r\n")
      #expect(client.send(bytes) == bytes.count)
      #expect(try client.response().status == 413)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      #expect(server.journal.wait { $0.summaries.count == 1 })
      // The limit, plus a piece of the size of libmicrohttpd's buffer.
      #expect(server.journal.entries.summaries[0].bytesIn <= 66_000)
    }

    @Test func `an expectation of 100-continue gets 100`() throws {
      let server = try TestServer()
      let client = try server.client(
        sending: "\(Self.head)Expect: 100-continue\r\nContent-Length: 5\r\n\r\n")
      #expect(try client.response().status == 100)
      client.send("hello")
      #expect(try client.response().body == Array("hello".utf8))
    }

    @Test func `a body beyond the memory budget for all bodies gets 503`() throws {
      var limits = ServerLimits()
      limits.bufferedByteCount = 1000
      let server = try TestServer(limits)
      let body = "Content-Length: 600\r\n\r\n" + String(repeating: "x", count: 600)
      let first = try server.client(sending: "POST /hold HTTP/1.1\r\nHost: a\r\n\(body)")
      #expect(server.gate.waitForArrivals(1))
      let second = try server.client(sending: "\(Self.head)\(body)")
      let response = try second.response()
      #expect(response.status == 503)
      #expect(response.fields["retry-after"] == "1")
      #expect(response.fields["connection"] == "close")
      second.finishSending()
      #expect(try second.isClosed())
      server.gate.open()
      #expect(try first.response().status == 200)
      #expect(server.journal.wait { $0.summaries.count == 2 })
      #expect(try server.client(sending: "\(Self.head)\(body)").response().status == 200)
    }

    private func limits(slots: Int, queue: Int) -> ServerLimits {
      var limits = ServerLimits(jobs: slots)
      limits.queueLength = queue
      // If a permit is lost, a queued request gets 503 after this deadline, and the test fails.
      limits.queueTimeout = .seconds(60)
      return limits
    }

    @Test func `requests above the queue limit get 503, and queued requests succeed`() throws {
      let server = try TestServer(limits(slots: 2, queue: 3))
      let accepted = try (1...5).map { _ in try server.client(sending: Self.held) }
      #expect(server.gate.waitForArrivals(2))
      #expect(server.journal.wait { $0.queue == 3 })
      for _ in 1...10 {
        let response = try server.client(sending: Self.held).response()
        #expect(response.status == 503)
        #expect(response.code == "busy")
        #expect(response.fields["retry-after"] == "1")
        #expect(response.fields["connection"] == nil)
      }
      #expect(server.seen.count == 2)
      server.gate.open()
      for client in accepted { #expect(try client.response().status == 200) }
      #expect(server.journal.wait { $0.queue == 0 })
    }

    @Test func `one in eight connections can wait for previews, whatever the queue limit`() throws {
      var limits = limits(slots: 1, queue: 0)
      limits.connectionCount = 80
      let server = try TestServer(limits)
      let held = "GET /draw HTTP/1.1\r\nHost: a\r\n\r\n"
      let accepted = try (1...11).map { _ in try server.client(sending: held) }
      #expect(server.journal.wait { $0.previewQueue == 10 })
      let metrics = server.journal.metrics.text
      #expect(metrics.contains("lqip_queue_depth{work=\"drawing\"} 10\n"))
      #expect(metrics.contains("lqip_connections_open 11\n"))
      #expect(try server.client(sending: held).response().status == 503)
      server.gate.open()
      for client in accepted { #expect(try client.response().status == 200) }
    }

    @Test func `a client that disconnects leaves the queue, and is logged with status 499`()
      throws
    {
      let server = try TestServer(limits(slots: 1, queue: 1))
      let first = try server.client(sending: Self.held)
      #expect(server.gate.waitForArrivals(1))
      do {
        let second = try server.client(sending: Self.held)
        #expect(server.journal.wait { $0.queue == 1 })
        withExtendedLifetime(second) {}
      }
      #expect(server.journal.wait { $0.queue == 0 })
      #expect(server.journal.wait { $0.summaries.map(\.status) == [499] })
      #expect(server.journal.entries.summaries.map(\.outcome) == ["aborted"])
      let third = try server.client(sending: Self.held)
      server.gate.open()
      for client in [first, third] { #expect(try client.response().status == 200) }
      #expect(server.seen.count == 2)
    }

    @Test func `a request gets 503 after the queue deadline`() throws {
      var limits = limits(slots: 1, queue: 3)
      limits.queueTimeout = .milliseconds(200)
      let server = try TestServer(limits)
      let first = try server.client(sending: Self.held)
      #expect(server.gate.waitForArrivals(1))
      let second = try server.client(sending: Self.held)
      #expect(try second.response().status == 503)
      #expect(server.journal.wait { $0.queue == 0 })
      server.gate.open()
      #expect(try first.response().status == 200)
      second.send(Self.held)
      #expect(try second.response().status == 200)
    }
  }
}
