import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipService

extension ServerTests {
  @Suite struct HTTPServerTests {
    private static let hidden = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `requests are answered one after the other on a connection`() throws {
      let server = try TestServer()
      let client = try server.client()
      for _ in 1...3 {
        client.send(
          "POST /echo?a=1&b=%23+%2B&c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        let answer = try client.answer()
        #expect(answer.status == 200)
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.fields["x-query"] == "a=1&b=# +&c=")
        #expect(answer.fields["connection"] == nil)
      }
      #expect(server.seen == ["POST /echo", "POST /echo", "POST /echo"])
    }

    @Test func `requests that arrive together are answered in order`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
          + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
          + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo")
      #expect(try client.answer().body == Array("fine".utf8))
      #expect(try client.answer().body == Array("one".utf8))
      #expect(try client.answer().body == Array("two".utf8))
      #expect(server.seen == ["GET /health", "POST /echo", "POST /echo"])
    }

    @Test func `a head request gets the head alone`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer(hasBody: false).fields["content-length"] == "4")
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer().body == Array("fine".utf8))
    }

    @Test func `a client that only reads on is answered`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      client.finishSending()
      #expect(try client.answer().body == Array("hello".utf8))
      #expect(try client.isClosed())
    }

    @Test func `an older client is answered and its connection closed`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /health HTTP/1.0\r\n\r\n")
      #expect(try client.answer().body == Array("fine".utf8))
      #expect(try client.isClosed())
    }

    @Test func `what is not served leaves the connection open`() throws {
      let server = try TestServer()
      let client = try server.client()
      for request in ["GET /nothing", "BREW /health", "GET //health", "OPTIONS *"] {
        client.send("\(request) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.answer().status == (request == "BREW /health" ? 200 : 404))
      }
    }

    @Test func `a refused body is not read`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n\(Self.hidden)")
      let answer = try client.answer()
      #expect(answer.status == 404)
      #expect(answer.fields["connection"] == "close")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [
      ("Host: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked", 400),
      ("Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4", 400),
      ("Host: a\r\nContent-Length: 4\r\nContent-Length: 4", 400),
      ("Host: a\r\nContent-Length: 4\r\nContent-Length: 5", 400),
      ("Host: a\r\nContent-Length: 0\r\nContent-Length: 4", 400),
      ("Host: a\r\nTransfer-Encoding: identity", 400),
      ("Host: a\r\nTransfer-Encoding: gzip", 400),
      ("Host: a\r\nTransfer-Encoding: xchunked", 400),
      ("Host: a\r\nTransfer-Encoding: chunked, gzip", 400),
      ("Host: a\r\nTransfer-Encoding: gzip, chunked", 400),
      ("Host: a\r\nTransfer-Encoding: chunked, chunked", 400),
      ("Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
      ("Host: a\r\nTransfer-Encoding: \u{B}chunked", 400),
      ("Host: a\r\nTransfer-Encoding : chunked", 400),
      ("Host: a\r\nContent-Length : 4", 400),
      ("Host: a\r\n Content-Length: 4", 400),
      ("Host: a\r\nX: a\rContent-Length: 4", 400),
      ("Content-Length: 4", 400),
      ("Host: a\r\nHost: a\r\nContent-Length: 4", 400),
      ("Host: a\r\nHost: b\r\nContent-Length: 4", 400),
      ("Host: a", 411),
      ("Host: a\r\nExpect: 200-ok\r\nContent-Length: 4", 417),
      ("Host: a\r\nContent-Length: 9223372036854775808", 413),
    ])
    func `a request of doubtful length ends the connection`(head: String, status: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\n\(head)\r\n\r\n\(Self.hidden)")
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(answer.fields["connection"] == "close")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    /// The library refuses these itself.
    @Test(arguments: ["+5", "-1", "0x10", "5,5", "5, 5", "", "5 ", "٥", "99999999999999999999"])
    func `a length that is no number ends the connection`(length: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(Self.hidden)")
      let answer = try client.answer()
      #expect(answer.status == (length.count > 9 ? 413 : 400))
      #expect(answer.code == (length.count > 9 ? "too_large" : "bad_request"))
      #expect(answer.fields["x-request-id"]?.count == 16)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      #expect(server.journal.wait { $0.summaries.map(\.status) == [answer.status] })
    }

    @Test(arguments: [
      "GET /health", "GET /health HTTP/2.0", "GET /health HTTP/0.9", "GET /health http/1.1",
      "GET /health HTTP/1.10", "GET /he alth HTTP/1.1", "/health", "GET /health%00 HTTP/1.1",
      "G\u{1}T /health HTTP/1.1",
    ])
    func `a first line that is not one ends the connection`(line: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("\(line)\r\nHost: a\r\n\r\n\(Self.hidden)")
      client.finishSending()
      let rest = String(decoding: try client.rest(), as: UTF8.self)
      #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 400 ") || rest.hasPrefix("HTTP/1.1 505 "))
      #expect(server.seen.isEmpty)
    }

    /// Each of these is one request to some readers and another, or two, to others.
    @Test(arguments: [
      ": v\r\n", ":\r\n", "X: a\r\n b\r\n", "X: a\r\n\tb\r\n", "X: a\nY: b\r\n", "X:\nY: b\r\n",
      "X: a\0b\r\n", "X: a\0\r\n", "X:\n\r\n", "X: a\n\r\n", "X: a\n\n", "X\0: a\r\n", "X\r\n",
      "X : a\r\n", "X: a\u{B}\r\n", "X: a\rb\r\n", " X: a\r\n", "\u{1}: a\r\n", "X: a\r\n: v\r\n",
    ])
    func `a head that can be read in two ways is refused`(fields: String) throws {
      let server = try TestServer()
      for (start, end) in [("", ""), ("Y: z\r\n", ""), ("", "Y: z\r\n")] {
        let client = try server.client()
        client.send(
          "GET /health HTTP/1.1\r\nHost: a\r\n\(start)\(fields)\(end)\r\n\(Self.hidden)")
        let answer = try client.answer()
        #expect(answer.status == 400)
        #expect(answer.code == "bad_request")
        #expect(answer.fields["x-request-id"] != nil)
        client.finishSending()
        #expect(try client.isClosed())
      }
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [
      "GET /health HTTP/1.1\nHost: a\r\n\r\n", "GET /health HTTP/1.1\r\nHost: a\n\r\n",
      "GET /health HTTP/1.1\r\nHost: a\r\n\n", "GET /health HTTP/1.1\nHost: a\n\n",
      "G\0ET /health HTTP/1.1\r\nHost: a\r\n\r\n", "GET /health\0 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET  /health HTTP/1.1\r\nHost: a\r\n\r\n", "GET /health?\0 HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func `a line that does not end where it should is refused`(head: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(head + Self.hidden)
      #expect(try client.answer().status == 400)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [
      "GET /health HTTP/1.1\r\nHost:a\r\nX:\r\nY:  \t z \t \r\nz-1: ü:é,\"\r\n\r\n",
      "\r\nGET /health?a=b%0ac&d HTTP/1.0\r\n\r\n",
      "GET /%68ealth?%2b=%zz&=&&x HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func `a head that is unusual is not refused`(head: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(head)
      #expect(try client.answer().body == Array("fine".utf8))
    }

    @Test func `what the library finds too long is refused in our words`() throws {
      let server = try TestServer()
      let long = String(repeating: "a", count: 100_000)
      let chunked = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      for (request, status) in [
        ("GET /health HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", 431),
        ("\(chunked)1;\(long)\r\nx\r\n0\r\n\r\n", 400),
        ("\(chunked)1\r\nx\r\n0\r\nX: \(long)\r\n\r\n", 431),
        ("\(chunked)x\r\n", 400),
        ("\(chunked)fffffffffffffffff\r\n", 413),
      ] {
        let client = try server.client()
        client.send(request + Self.hidden)
        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(answer.fields["content-type"] == "application/problem+json")
        let id = try #require(answer.fields["x-request-id"])
        client.finishSending()
        #expect(try client.isClosed())
        #expect(
          server.journal.wait { $0.summaries.contains { $0.id == id && $0.status == status } })
      }
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [(63, 200), (64, 400), (5000, 400), (30_000, 414)])
    func `many parameters are refused`(separators: Int, status: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "GET /health?\(String(repeating: "a&", count: separators)) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer().status == status)
      #expect(server.seen.count == (status == 200 ? 1 : 0))
    }

    @Test(arguments: ["GET\r\n", "\u{16}\u{3}\u{1}\r\n", "GET / HTTP/2.0\r\n"])
    func `what is no request is counted`(bytes: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("\(bytes)Host: a\r\n\r\n")
      _ = try client.rest()
      #expect(server.journal.wait { $0.cuts == [.malformed] && $0.connections == 0 })
      #expect(server.journal.entries.withLock(\.summaries).isEmpty)
    }

    @Test func `an older version has no chunks`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
          + "0\r\n\r\n\(Self.hidden)")
      #expect(try client.answer().status == 400)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test func `chunks are joined and end the connection`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: x\r\n\r\n\(Self.hidden)")
      let answer = try client.answer()
      #expect(answer.body == Array("hello".utf8))
      #expect(answer.fields["connection"] == "close")
      #expect(try client.isClosed())
      #expect(server.seen == ["POST /echo"])
    }

    @Test(arguments: ["x\r\n", "-1\r\n", "3\r\nhelXX2\r\nlo\r\n", "\r\n", "0x3\r\nhel\r\n"])
    func `broken chunks end the connection`(chunks: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(chunks)0\r\n\r\n\(Self.hidden)")
      #expect(try client.answer().status == 400)
      client.finishSending()
      _ = try client.rest()
      #expect(server.seen.isEmpty)
    }

    @Test func `a chunk of impossible size ends the connection`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "fffffffffffffffff\r\n\(Self.hidden)")
      #expect(try client.answer().status == 413)
      #expect(server.seen.isEmpty)
    }

    @Test func `a body shorter than it says is not answered`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nhello")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      #expect(server.journal.wait { $0.summaries.map(\.status) == [499] })
      #expect(server.journal.entries.withLock { $0.summaries[0].bytesIn } == 5)
    }

    @Test func `what comes after a body is another request`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nhello\r\n\r\n")
      #expect(try client.answer().body == Array("hell".utf8))
      _ = try client.rest()
      #expect(server.seen == ["POST /echo"])
    }

    @Test func `a body over the limit is refused by its length`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 413)
      #expect(answer.code == "too_large")
      #expect(answer.fields["content-type"] == "application/problem+json")
      client.finishSending()
      #expect(try client.isClosed())
    }

    @Test func `a client that sends on is still told that its body is too large`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
      #expect(client.send([UInt8](repeating: 0, count: 4_000_000)) == 4_000_000)
      #expect(try client.answer().status == 413)
    }

    @Test func `a body is asked for, or refused before it is sent`() throws {
      let server = try TestServer()
      let client = try server.client()
      let head = "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
      client.send("\(head)Content-Length: 5\r\n\r\n")
      #expect(try client.answer().status == 100)
      client.send("hello")
      #expect(try client.answer().body == Array("hello".utf8))
      client.send("\(head)Content-Length: 1001\r\n\r\n")
      #expect(try client.answer().status == 413)
      client.finishSending()
      #expect(try client.isClosed())
    }

    @Test func `chunks over the limit are refused when they end`() throws {
      let server = try TestServer()
      let client = try server.client()
      let chunk = "258\r\n\(String(repeating: "x", count: 600))\r\n"
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(chunk)\(chunk)0\r\n\r\n\(Self.hidden)")
      let answer = try client.answer()
      #expect(answer.status == 413)
      #expect(answer.fields["connection"] == "close")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test func `chunks without end are answered and cut`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = Array("3e8\r\n\(String(repeating: "x", count: 1000))\r\n".utf8)
      for _ in 1...100 { client.send(chunk) }
      #expect(try client.answer().status == 413)
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      // What was thrown away is no more than twice the limit and what was on its way.
      #expect(server.journal.wait { $0.summaries.count == 1 })
      #expect(server.journal.entries.withLock { $0.summaries[0].bytesIn } <= 3000)
    }

    @Test func `a route without a body takes none`() throws {
      let server = try TestServer()
      for framing in ["Content-Length: 1", "Transfer-Encoding: chunked"] {
        let client = try server.client()
        client.send("GET /health HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        #expect(try client.answer().status == 413)
      }
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      #expect(try client.answer().status == 200)
    }

    @Test func `bodies that take too much memory together are refused`() throws {
      var limits = ServerLimits()
      limits.bufferedByteCount = 1000
      let server = try TestServer(limits)
      let first = try server.client()
      first.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 600\r\n\r\n")
      first.send([UInt8](repeating: 0, count: 600))
      #expect(server.responder.gate.waitForArrivals(1))
      let second = try server.client()
      let request =
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 600\r\n\r\n"
        + String(repeating: "x", count: 600)
      second.send(request)
      let answer = try second.answer()
      #expect(answer.status == 503)
      #expect(answer.fields["retry-after"] == "1")
      server.responder.gate.open()
      #expect(try first.answer().status == 200)
      #expect(server.journal.wait { $0.summaries.count == 2 })
      second.send(request)
      #expect(try second.answer().status == 200)
    }

    @Test(arguments: [100_000, 1_000_000])
    func `a long target is refused`(count: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /\(String(repeating: "a", count: count)) HTTP/1.1\r\nHost: a\r\n\r\n")
      let rest = String(decoding: try client.rest(), as: UTF8.self)
      #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 414 "))
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [17_000, 1_000_000])
    func `a long field is refused`(count: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: count))\r\n\r\n")
      #expect(try client.answer().status == 431)
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [(63, 200), (64, 431), (5000, 431)])
    func `many fields are refused`(count: Int, status: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      let fields = String(repeating: "X: y\r\n", count: count)
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
      #expect(try client.answer().status == status)
    }

    @Test func `a request has a name, its own or one that is given`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: a.B-9_\r\n\r\n")
      #expect(try client.answer().fields["x-request-id"] == "a.B-9_")
      client.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Request-ID: a b\r\n\r\n")
      let made = try client.answer().fields["x-request-id"]
      #expect(made?.count == 16)
      #expect(server.journal.wait { $0.summaries.map(\.id) == ["a.B-9_", made] })
    }

    @Test(arguments: [(false, "127.0.0.1"), (true, "192.0.2.9")])
    func `the client is the one that is connected, or that a proxy names`(
      trusts: Bool, client: String
    ) throws {
      let server = try TestServer(trustsForwarded: trusts)
      let connection = try server.client()
      connection.send(
        "GET /health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.1, 192.0.2.9\r\n"
          + "Traceparent: 00-a-b-01\r\n\r\n")
      _ = try connection.answer()
      #expect(server.journal.wait { $0.summaries.map(\.client) == [client] })
      #expect(server.journal.entries.withLock { $0.summaries[0].trace } == "00-a-b-01")
    }

    @Test func `a response says how long it took`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      let timing = try #require(try client.answer().fields["server-timing"])
      #expect(timing.wholeMatch(of: /decode;dur=1.5, total;dur=[0-9.e-]+/) != nil)
    }

    @Test func `what became of a request is told`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      _ = try client.answer()
      client.send("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      _ = try client.answer()
      #expect(server.journal.wait { $0.summaries.count == 2 })
      let summaries = server.journal.entries.withLock(\.summaries)
      #expect(summaries.map(\.route) == ["/echo", nil])
      #expect(summaries.map(\.status) == [200, 404])
      #expect(summaries.map(\.outcome) == ["ok", "not_found"])
      #expect(summaries.map(\.bytesIn) == [5, 0])
      #expect(summaries[0].bytesOut == 5)
      #expect(summaries[0].method == "POST")
      #expect(server.journal.entries.withLock(\.connections) <= 1)
    }

    @Test func `requests under way are finished before the server stops`() throws {
      var limits = ServerLimits()
      limits.decodeSlotCount = 20
      let server = try TestServer(limits)
      let clients = try (1...20).map { _ in try server.client() }
      for client in clients {
        client.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
      }
      let idle = try server.client()
      #expect(server.responder.gate.waitForArrivals(20))
      let result = Monitor<Bool?>(nil)
      let stopping = try SystemThread { [server = server.server] in
        let isDrained = server?.shutDown() ?? false
        result.update { $0 = isDrained }
      }
      let deadline = ContinuousClock.now + .seconds(20)
      while ContinuousClock.now < deadline, (try? server.client()) != nil {}
      #expect(throws: RawClient.Failure.self) { try server.client() }
      #expect(result.withLock { $0 } == nil)
      server.responder.gate.open()
      for client in clients {
        let answer = try client.answer()
        #expect(answer.status == 200)
        #expect(answer.fields["connection"] == "close")
        #expect(try client.isClosed())
      }
      stopping.join()
      #expect(result.withLock { $0 } == true)
      #expect(try idle.isClosed())
    }

    @Test func `slow bodies make way for a request that is short`() throws {
      var limits = ServerLimits()
      limits.connectionCount = 20
      let server = try TestServer(limits)
      let slow = try (1...20).map { _ in try server.client() }
      for client in slow {
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx")
      }
      #expect(server.journal.wait { $0.connections == 20 })
      // Until then each of them might still be fast.
      SystemThread.sleep(for: TrackedConnection.window + .milliseconds(100))
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer().status == 200)
      #expect(
        server.journal.wait {
          $0.cuts == [.crowded] && $0.summaries.map(\.outcome).sorted() == ["ok", "slow_client"]
        })
      withExtendedLifetime(slow) {}
    }

    @Test func `a client has only so many connections, if there is a limit`() throws {
      var limits = ServerLimits()
      limits.connectionCountPerAddress = 3
      let server = try TestServer(limits)
      var clients = try (1...3).map { _ in try server.client() }
      #expect(server.journal.wait { $0.connections == 3 })
      let refused = try server.client()
      #expect(try refused.isClosed())
      #expect(server.journal.wait { $0.refusals == ["127.0.0.1"] && $0.connections == 3 })
      clients.removeLast()
      #expect(server.journal.wait { $0.connections == 2 })
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer().status == 200)
      withExtendedLifetime(clients) {}
    }

    @Test func `a socket is closed once`() throws {
      let descriptor: Int32
      do {
        let server = try TestServer()
        descriptor = server.socket.descriptor
        #expect(fcntl(descriptor, F_GETFD) != -1)
        // As a server is that is dropped without having been shut down.
        server.drop()
        #expect(fcntl(descriptor, F_GETFD) != -1)
      }
    }

    @Test func `five hundred idle connections leave room for one more request`() throws {
      var files = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
      files.rlim_cur = files.rlim_max
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
      let server = try TestServer()
      let clients = try (1...500).map { _ in try server.client() }
      for client in clients.prefix(250) { client.send("GET /hea") }
      #expect(server.journal.wait { $0.connections == 500 })
      let start = ContinuousClock.now
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer().status == 200)
      #expect(.now - start < .seconds(1))
      withExtendedLifetime(clients) {}
    }

    @Test func `idle connections make way when it gets crowded`() throws {
      var limits = ServerLimits()
      limits.connectionCount = 20
      let server = try TestServer(limits)
      let clients = try (1...60).map { _ in try server.client() }
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.answer().status == 200)
      #expect(server.journal.entries.withLock { $0.cuts.allSatisfy { $0 == .crowded } })
      withExtendedLifetime(clients) {}
    }
  }
}
