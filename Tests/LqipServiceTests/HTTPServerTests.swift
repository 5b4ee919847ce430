import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipService

extension ServerTests {
  @Suite struct HTTPServerTests {
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
      }
      #expect(server.seen == ["POST /echo", "POST /echo", "POST /echo"])
    }

    @Test func `pipelined requests are answered in order`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
          + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
          + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo")
      #expect(try client.response().body == Array("fine".utf8))
      #expect(try client.response().body == Array("one".utf8))
      #expect(try client.response().body == Array("two".utf8))
      #expect(server.seen == ["GET /health", "POST /echo", "POST /echo"])
    }

    @Test(arguments: ["http://a/health", "ftp://a/health", "http:/health", "a:80", "/health#a"])
    func `a target other than a path gets 400`(target: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n\(ServerTests.smuggledRequest)")
      #expect(try client.response().status == 400)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test func `a response to HEAD has no body`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response(hasBody: false).fields["content-length"] == "4")
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response().body == Array("fine".utf8))
    }

    @Test func `a half-closed client receives its response`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      client.finishSending()
      #expect(try client.response().body == Array("hello".utf8))
      #expect(try client.isClosed())
    }

    @Test func `an HTTP/1.0 connection closes after the response`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /health HTTP/1.0\r\n\r\n")
      #expect(try client.response().body == Array("fine".utf8))
      #expect(try client.isClosed())
    }

    @Test func `an unknown path or method keeps the connection open`() throws {
      let server = try TestServer()
      let client = try server.client()
      for (request, status) in [
        ("GET /nothing", 404), ("BREW /health", 200), ("GET //health", 404), ("OPTIONS *", 204),
      ] {
        client.send("\(request) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response(hasBody: status != 204).status == status)
      }
    }

    @Test func `a short body to an unknown path keeps the connection open`() throws {
      let server = try TestServer()
      let client = try server.client()
      for count in [1, 5000, 64 << 10] {
        client.send("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
        client.send([UInt8](repeating: 0, count: count))
        #expect(try client.response().status == 404)
      }
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response().status == 200)
    }

    @Test(arguments: [
      "", "Content-Length: 65537\r\n", "Transfer-Encoding: chunked\r\n",
      "Content-Length: 100\r\nExpect: 100-continue\r\n",
    ])
    func `a POST with any body to an unknown path closes the connection`(length: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /nothing HTTP/1.1\r\nHost: a\r\n\(length)\r\n\(ServerTests.smuggledRequest)")
      let response = try client.response()
      #expect(response.status == 404)
      #expect(response.fields["connection"] == "close")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test func `a valid request ID is kept, and any other is replaced`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: a.B-9_\r\n\r\n")
      #expect(try client.response().fields["x-request-id"] == "a.B-9_")
      client.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: a b\r\n\r\n")
      let generated = try client.response().fields["x-request-id"]
      #expect(generated?.count == 16)
      #expect(server.journal.wait { $0.summaries.map(\.id) == ["a.B-9_", generated] })
    }

    @Test(arguments: [(false, "127.0.0.1"), (true, "192.0.2.9")])
    func `the logged client is the peer, or the address that a trusted proxy forwards`(
      trusts: Bool, client: String
    ) throws {
      let server = try TestServer(trustsForwarded: trusts)
      let connection = try server.client()
      connection.send(
        "GET /health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.1, 192.0.2.9\r\n"
          + "Traceparent: 00-a-b-01\r\n\r\n")
      _ = try connection.response()
      #expect(server.journal.wait { $0.summaries.map(\.client) == [client] })
      #expect(server.journal.entries.summaries[0].trace == "00-a-b-01")
    }

    @Test func `a response has a Server-Timing field`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      let timing = try #require(try client.response().fields["server-timing"])
      #expect(timing.wholeMatch(of: /decode;dur=1.5, total;dur=[0-9.e-]+/) != nil)
    }

    @Test func `a finished request is reported with its summary`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      _ = try client.response()
      client.send("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      _ = try client.response()
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

    @Test func `shutdown completes requests in flight`() throws {
      var limits = ServerLimits()
      limits.workerCount = 20
      let server = try TestServer(limits)
      let clients = try (1...20).map { _ in try server.client() }
      for client in clients {
        client.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
      }
      let idle = try server.client()
      #expect(server.gate.waitForArrivals(20))
      let result = Monitor<Bool?>(nil)
      try SystemThread.start { [server = server.server] in
        let isDrained = server?.shutDown() ?? false
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
