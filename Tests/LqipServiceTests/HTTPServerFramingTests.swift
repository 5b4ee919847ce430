import LqipTestSupport
import Testing

@testable import LqipService

extension ServerTests {
  /// Tests of ambiguous requests, and of unusual but valid ones.
  @Suite struct HTTPServerFramingTests {
    private static let chunked =
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// libmicrohttpd itself rejects the invalid values of Content-Length.
    @Test(arguments: [
      "Content-Length: 4\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 4",
      "Content-Length: 4\r\nContent-Length: 4", "Content-Length: 4\r\nContent-Length: 5",
      "Content-Length: 0\r\nContent-Length: 4", "Transfer-Encoding: identity",
      "Transfer-Encoding: xchunked", "Transfer-Encoding: gzip, chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: \u{B}chunked", "Transfer-Encoding : chunked", "Content-Length : 4",
      " Content-Length: 4", "X: a\rContent-Length: 4", "Host: a\r\nContent-Length: 4",
      "Host: b\r\nContent-Length: 4", "Content-Length: +5", "Content-Length: -1",
      "Content-Length: 0x10", "Content-Length: 5,5", "Content-Length: 5, 5", "Content-Length: ",
      "Content-Length: 5 ", "Content-Length: ٥",
    ])
    func `an ambiguous body length gets 400`(fields: String) throws {
      try TestServer().expectRefusal(
        of: "POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n", status: 400)
    }

    @Test(arguments: [
      ("Host: a", 411, "length_required"),
      ("Host: a\r\nExpect: 200-ok\r\nContent-Length: 4", 417, "expectation_failed"),
      ("Host: a\r\nContent-Length: 9223372036854775808", 413, "too_large"),
      ("Host: a\r\nContent-Length: 99999999999999999999", 413, "too_large"),
      ("Content-Length: 4", 400, "bad_request"),
    ])
    func `an unsupported head closes the connection`(
      fields: String, status: Int, code: String
    ) throws {
      try TestServer().expectRefusal(
        of: "POST /echo HTTP/1.1\r\n\(fields)\r\n\r\n", status: status, code: code)
    }

    @Test(arguments: [
      "GET /health", "GET /health HTTP/2.0", "GET /health HTTP/0.9", "GET /health http/1.1",
      "GET /health HTTP/1.10", "GET /he alth HTTP/1.1", "/health", "GET /health%00 HTTP/1.1",
      "G\u{1}T /health HTTP/1.1",
    ])
    func `a malformed request line closes the connection`(line: String) throws {
      let server = try TestServer()
      let client = try server.client(
        sending: "\(line)\r\nHost: a\r\n\r\n\(ServerTests.smuggledRequest)")
      client.finishSending()
      let rest = String(decoding: try client.rest(), as: UTF8.self)
      #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 400 ") || rest.hasPrefix("HTTP/1.1 505 "))
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: ["GET\r\n", "\u{16}\u{3}\u{1}\r\n", "GET / HTTP/2.0\r\n"])
    func `a malformed request line is counted and logged with the client address`(
      bytes: String
    ) throws {
      let server = try TestServer()
      let client = try server.client(sending: "\(bytes)Host: a\r\n\r\n")
      _ = try client.rest()
      #expect(server.journal.wait { $0.closedConnections == [.malformed] && $0.connections == 0 })
      #expect(server.journal.entries.malformedClients == ["127.0.0.1"])
      #expect(server.journal.entries.summaries.isEmpty)
      // A connection that its client closes is not malformed.
      withExtendedLifetime(client) {}
    }

    /// Parsers disagree about the fields or the end of each of these requests.
    @Test(arguments: [
      ": v\r\n", ":\r\n", "X: a\r\n b\r\n", "X: a\r\n\tb\r\n", "X: a\nY: b\r\n", "X:\nY: b\r\n",
      "X: a\0b\r\n", "X: a\0\r\n", "X:\n\r\n", "X: a\n\r\n", "X: a\n\n", "X\0: a\r\n", "X\r\n",
      "X : a\r\n", "X: a\u{B}\r\n", "X: a\rb\r\n", " X: a\r\n", "\u{1}: a\r\n", "X: a\r\n: v\r\n",
    ])
    func `an ambiguous head gets 400`(fields: String) throws {
      let server = try TestServer()
      for (start, end) in [("", ""), ("Y: z\r\n", ""), ("", "Y: z\r\n")] {
        try server.expectRefusal(
          of: "GET /health HTTP/1.1\r\nHost: a\r\n\(start)\(fields)\(end)\r\n", status: 400)
      }
    }

    @Test(arguments: [
      "GET /health HTTP/1.1\nHost: a\r\n\r\n", "GET /health HTTP/1.1\r\nHost: a\n\r\n",
      "GET /health HTTP/1.1\r\nHost: a\r\n\n", "GET /health HTTP/1.1\nHost: a\n\n",
      "G\0ET /health HTTP/1.1\r\nHost: a\r\n\r\n", "GET /health\0 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET  /health HTTP/1.1\r\nHost: a\r\n\r\n", "GET /health?\0 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET http://a/health HTTP/1.1\r\nHost: a\r\n\r\n", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /health#a HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
        + "0\r\n\r\n",
    ])
    func `a malformed line end, a NUL, an unsupported target or chunks in HTTP 1_0 get 400`(
      head: String
    ) throws {
      try TestServer().expectRefusal(of: head, status: 400)
    }

    @Test(arguments: [
      "GET /health HTTP/1.1\r\nHost:a\r\nX:\r\nY:  \t z \t \r\nz-1: ü:é,\"\r\n\r\n",
      "\r\nGET /health?a=b%0ac&d HTTP/1.0\r\n\r\n",
      "GET /%68ealth?%2b=%zz&=&&x HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func `an unusual but valid head is accepted`(head: String) throws {
      let server = try TestServer()
      #expect(try server.client(sending: head).response().body == Array("fine".utf8))
    }

    @Test(arguments: [
      "x\r\n", "-1\r\n", "3\r\nhelXX2\r\nlo\r\n", "\r\n", "0x3\r\nhel\r\n",
      "1;\(String(repeating: "a", count: 100_000))\r\nx\r\n",
    ])
    func `malformed chunks close the connection`(chunks: String) throws {
      try TestServer().expectRefusal(of: "\(Self.chunked)\(chunks)0\r\n\r\n", status: 400)
    }

    @Test func `oversized heads, trailers and chunks get problem documents`() throws {
      let server = try TestServer()
      let long = String(repeating: "a", count: 100_000)
      for (request, status) in [
        ("GET /health HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", 431),
        ("\(Self.chunked)1\r\nx\r\n0\r\nX: \(long)\r\n\r\n", 431),
        ("\(Self.chunked)fffffffffffffffff\r\n", 413),
      ] {
        try server.expectRefusal(of: request, status: status, code: "too_large")
      }
    }

    @Test func `the chunks of a body are joined, and the connection is closed`() throws {
      let server = try TestServer()
      let client = try server.client(
        sending: "\(Self.chunked)3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: x\r\n\r\n"
          + ServerTests.smuggledRequest)
      let response = try client.response()
      #expect(response.body == Array("hello".utf8))
      #expect(response.fields["connection"] == "close")
      #expect(try client.isClosed())
      #expect(server.seen == ["POST /echo"])
    }

    @Test func `an incomplete body gets no response`() throws {
      let server = try TestServer()
      let client = try server.client(
        sending: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nhello")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      #expect(server.journal.wait { $0.summaries.map(\.status) == [499] })
      #expect(server.journal.entries.summaries[0].bytesIn == 5)
    }

    @Test func `bytes beyond Content-Length do not belong to the body`() throws {
      let server = try TestServer()
      let client = try server.client(
        sending: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nhello\r\n\r\n")
      #expect(try client.response().body == Array("hell".utf8))
      _ = try client.rest()
      #expect(server.seen == ["POST /echo"])
    }
  }
}
