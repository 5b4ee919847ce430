import LqipTestSupport
import Testing

@testable import LqipService
@testable import LqipSystem

extension ServerTests {
  @Suite struct HTTPServerTests {
    private static let get = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let cookies = (0..<240).map { "name\($0)=\(String(repeating: "v", count: 48))" }

    @Test func `a connection serves several requests`() throws {
      let server = try TestServer()
      let client = try server.client()
      for _ in 1...3 {
        client.send(
          "POST /echo?a=1&b=%23+%2B&c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.fields["x-query"] == "a=1&b=# +&c=")
        #expect(response.fields["connection"] == nil)
        let timing = try #require(response.fields["server-timing"])
        #expect(timing.wholeMatch(of: /total;dur=[0-9.e-]+/) != nil)
      }
      #expect(server.seen == ["POST /echo", "POST /echo", "POST /echo"])
    }

    @Test func `pipelined requests are answered in order`() throws {
      let server = try TestServer()
      let client = try server.client(
        sending: Self.get
          + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
          + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo")
      for body in ["fine", "one", "two"] {
        #expect(try client.response().body == Array(body.utf8))
      }
      #expect(server.seen == ["GET /health", "POST /echo", "POST /echo"])
    }

    @Test func `a response to HEAD has no body`() throws {
      let server = try TestServer()
      let client = try server.client(sending: "HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n")
      let response = try client.response(hasBody: false)
      #expect(response.fields["content-length"] == "4")
      let timing = try #require(response.fields["server-timing"])
      #expect(timing.wholeMatch(of: /decode;dur=1.5, total;dur=[0-9.e-]+/) != nil)
      client.send(Self.get)
      #expect(try client.response().body == Array("fine".utf8))
    }

    @Test func `a half-closed client receives its response`() throws {
      let server = try TestServer()
      let client = try server.client(
        sending: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      client.finishSending()
      #expect(try client.response().body == Array("hello".utf8))
      #expect(try client.isClosed())
    }

    @Test func `an HTTP 1_0 connection closes after the response`() throws {
      let server = try TestServer()
      let client = try server.client(sending: "GET /health HTTP/1.0\r\n\r\n")
      #expect(try client.response().body == Array("fine".utf8))
      #expect(try client.isClosed())
    }

    @Test func `an unknown path or a short body keeps the connection open`() throws {
      let server = try TestServer()
      let client = try server.client()
      for (request, status) in [
        ("GET /nothing", 404), ("BREW /health", 200), ("GET //health", 404), ("OPTIONS /echo", 204),
      ] {
        client.send("\(request) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response(hasBody: status != 204).status == status)
      }
      for count in [1, 5000, 64 << 10] {
        client.send("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
        client.send([UInt8](repeating: 0, count: count))
        #expect(try client.response().status == 404)
      }
      client.send(Self.get)
      #expect(try client.response().status == 200)
    }

    @Test(arguments: [
      "", "Content-Length: 65537\r\n", "Transfer-Encoding: chunked\r\n",
      "Content-Length: 100\r\nExpect: 100-continue\r\n",
    ])
    func `a POST with any body to an unknown path closes the connection`(length: String) throws {
      try TestServer().expectRefusal(
        of: "POST /nothing HTTP/1.1\r\nHost: a\r\n\(length)\r\n", status: 404, code: "not_found")
    }

    @Test(arguments: ["a", "0123-abc_DEF.9", String(repeating: "x", count: 128)])
    func `a safe request ID is kept`(given: String) throws {
      let server = try TestServer()
      let response = try server.client(
        sending: "GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: \(given)\r\n\r\n"
      ).response()
      #expect(response.fields["x-request-id"] == given)
      #expect(server.journal.wait { $0.summaries.map(\.id) == [given] })
    }

    @Test(arguments: ["", "a b", "é", "<", String(repeating: "x", count: 129)])
    func `an unsafe request ID is replaced`(given: String) throws {
      let server = try TestServer()
      let client = try server.client()
      let ids = try (1...2).map { _ in
        client.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: \(given)\r\n\r\n")
        return try #require(try client.response().fields["x-request-id"])
      }
      #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil } && ids[0] != ids[1])
      #expect(server.journal.wait { $0.summaries.map(\.id) == ids })
    }

    @Test(arguments: [(false, "127.0.0.1"), (true, "192.0.2.9")])
    func `the logged client is the peer, or the address that a trusted proxy forwards`(
      trusts: Bool, client: String
    ) throws {
      let server = try TestServer(trustsForwarded: trusts)
      let connection = try server.client(
        sending: "GET /health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.1, 192.0.2.9\r\n\r\n")
      _ = try connection.response()
      #expect(server.journal.wait { $0.summaries.map(\.client) == [client] })
    }

    @Test func `a finished request is reported with its summary`() throws {
      let server = try TestServer()
      let client = try server.client()
      for path in ["/echo", "/nothing"] {
        client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        _ = try client.response()
      }
      #expect(server.journal.wait { $0.summaries.count == 2 })
      let summaries = server.journal.entries.summaries
      #expect(summaries.map(\.route) == ["/echo", nil])
      #expect(summaries.map(\.status) == [200, 404])
      #expect(summaries.map(\.outcome) == ["ok", "not_found"])
      #expect(summaries.map(\.bytesIn) == [5, 5])
      #expect(summaries[0].bytesOut == 5)
      #expect(summaries[0].method == "POST")
      #expect(server.journal.entries.connections <= 1)
    }

    @Test(arguments: [
      ("/\(String(repeating: "a", count: 1_000_000))", 414),
      ("/health?\(String(repeating: "a&", count: 63))", 200),
      ("/health?\(String(repeating: "a&", count: 64))", 400),
      ("/health?\(String(repeating: "a&", count: 5000))", 400),
      ("/health?\(String(repeating: "a&", count: 60_000))", 414),
    ])
    func `an overlong target or too many query parameters are rejected`(
      target: String, status: Int
    ) throws {
      let server = try TestServer()
      let client = try server.client(sending: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      if status != 200 { client.finishSending() }
      let response = try? client.response()
      // libmicrohttpd may close the connection before the complete target has arrived.
      #expect(response?.status == status || response == nil && status == 414)
      #expect(server.seen.count == (status == 200 ? 1 : 0))
    }

    @Test(arguments: [
      ("X: \(String(repeating: "a", count: 17_000))\r\n", 431),
      ("X: \(String(repeating: "a", count: 1_000_000))\r\n", 431),
      (String(repeating: "X: y\r\n", count: 63), 200),
      (String(repeating: "X: y\r\n", count: 64), 431),
      (String(repeating: "X: y\r\n", count: 5000), 431),
      ("Cookie: \(cookies.joined(separator: "; "))\r\n", 200),
    ])
    func `an overlong header section gets 431`(fields: String, status: Int) throws {
      let server = try TestServer()
      let client = try server.client(sending: "GET /health HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
      #expect(try client.response().status == status)
      #expect(server.seen.count == (status == 200 ? 1 : 0))
    }

    @Test func `shutdown completes requests in flight`() throws {
      var limits = ServerLimits()
      limits.workerCount = 20
      let server = try TestServer(limits)
      let clients = try (1...20).map { _ in
        try server.client(
          sending: "POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
      }
      let idle = try server.client()
      #expect(server.gate.waitForArrivals(20))
      let result = Monitor<Bool?>(nil)
      try SystemThread.start { [server = server.server] in
        let isDrained = server.shutDown()
        result.update { $0 = isDrained }
      }
      let deadline = MonotonicTime.now + .seconds(20)
      while MonotonicTime.now < deadline, (try? server.client()) != nil {}
      #expect(throws: RawClient.Failure.self) { try server.client() }
      #expect(result.withLock { $0 } == nil)
      server.gate.open()
      for client in clients {
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.fields["connection"] == "close")
        #expect(try client.isClosed())
      }
      #expect(result.wait(until: .now + .seconds(20), for: \.self) == true)
      #expect(try idle.isClosed())
    }
  }
}
