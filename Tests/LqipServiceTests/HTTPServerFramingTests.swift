import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipService

extension ServerTests {
  /// Tests of ambiguous requests, and of unusual but valid ones.
  @Suite struct HTTPServerFramingTests {
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
    func `an ambiguous body length closes the connection`(head: String, status: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\n\(head)\r\n\r\n\(ServerTests.smuggledRequest)")
      let response = try client.response()
      #expect(response.status == status)
      #expect(response.fields["connection"] == "close")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    /// libmicrohttpd rejects these values itself.
    @Test(arguments: ["+5", "-1", "0x10", "5,5", "5, 5", "", "5 ", "٥", "99999999999999999999"])
    func `an invalid Content-Length closes the connection`(length: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(ServerTests.smuggledRequest)"
      )
      let response = try client.response()
      #expect(response.status == (length.count > 9 ? 413 : 400))
      #expect(response.code == (length.count > 9 ? "too_large" : "bad_request"))
      #expect(response.fields["x-request-id"]?.count == 16)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      #expect(server.journal.wait { $0.summaries.map(\.status) == [response.status] })
    }

    @Test(arguments: [
      "GET /health", "GET /health HTTP/2.0", "GET /health HTTP/0.9", "GET /health http/1.1",
      "GET /health HTTP/1.10", "GET /he alth HTTP/1.1", "/health", "GET /health%00 HTTP/1.1",
      "G\u{1}T /health HTTP/1.1",
    ])
    func `a malformed request line closes the connection`(line: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("\(line)\r\nHost: a\r\n\r\n\(ServerTests.smuggledRequest)")
      client.finishSending()
      let rest = String(decoding: try client.rest(), as: UTF8.self)
      #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 400 ") || rest.hasPrefix("HTTP/1.1 505 "))
      #expect(server.seen.isEmpty)
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
        let client = try server.client()
        client.send(
          "GET /health HTTP/1.1\r\nHost: a\r\n\(start)\(fields)\(end)\r\n\(ServerTests.smuggledRequest)"
        )
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response.code == "bad_request")
        #expect(response.fields["x-request-id"] != nil)
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
    func `a malformed line end or a NUL in the head gets 400`(head: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(head + ServerTests.smuggledRequest)
      #expect(try client.response().status == 400)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [
      "GET /health HTTP/1.1\r\nHost:a\r\nX:\r\nY:  \t z \t \r\nz-1: ü:é,\"\r\n\r\n",
      "\r\nGET /health?a=b%0ac&d HTTP/1.0\r\n\r\n",
      "GET /%68ealth?%2b=%zz&=&&x HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func `an unusual but valid head is accepted`(head: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(head)
      #expect(try client.response().body == Array("fine".utf8))
    }

    @Test func `requests that libmicrohttpd rejects get problem documents`() throws {
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
        client.send(request + ServerTests.smuggledRequest)
        let response = try client.response()
        #expect(response.status == status)
        #expect(response.fields["content-type"] == "application/problem+json")
        let id = try #require(response.fields["x-request-id"])
        client.finishSending()
        #expect(try client.isClosed())
        #expect(
          server.journal.wait { $0.summaries.contains { $0.id == id && $0.status == status } })
      }
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [(63, 200), (64, 400), (5000, 400), (60_000, 414)])
    func `too many query parameters are rejected`(separators: Int, status: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "GET /health?\(String(repeating: "a&", count: separators)) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response().status == status)
      #expect(server.seen.count == (status == 200 ? 1 : 0))
    }

    @Test(arguments: ["GET\r\n", "\u{16}\u{3}\u{1}\r\n", "GET / HTTP/2.0\r\n"])
    func `a malformed request line is counted and logged with the client address`(
      bytes: String
    ) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("\(bytes)Host: a\r\n\r\n")
      _ = try client.rest()
      #expect(server.journal.wait { $0.closedConnections == [.malformed] && $0.connections == 0 })
      #expect(server.journal.entries.malformedClients == ["127.0.0.1"])
      #expect(server.journal.entries.summaries.isEmpty)
    }

    @Test func `a chunked HTTP/1.0 request gets 400`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
          + "0\r\n\r\n\(ServerTests.smuggledRequest)")
      #expect(try client.response().status == 400)
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test func `the chunks of a body are joined, and the connection is closed`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: x\r\n\r\n\(ServerTests.smuggledRequest)")
      let response = try client.response()
      #expect(response.body == Array("hello".utf8))
      #expect(response.fields["connection"] == "close")
      #expect(try client.isClosed())
      #expect(server.seen == ["POST /echo"])
    }

    @Test(arguments: ["x\r\n", "-1\r\n", "3\r\nhelXX2\r\nlo\r\n", "\r\n", "0x3\r\nhel\r\n"])
    func `malformed chunks close the connection`(chunks: String) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(chunks)0\r\n\r\n\(ServerTests.smuggledRequest)")
      #expect(try client.response().status == 400)
      client.finishSending()
      _ = try client.rest()
      #expect(server.seen.isEmpty)
    }

    @Test func `a chunk size that overflows gets 413`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "fffffffffffffffff\r\n\(ServerTests.smuggledRequest)")
      #expect(try client.response().status == 413)
      #expect(server.seen.isEmpty)
    }

    @Test func `an incomplete body gets no response`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nhello")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      #expect(server.journal.wait { $0.summaries.map(\.status) == [499] })
      #expect(server.journal.entries.summaries[0].bytesIn == 5)
    }

    @Test func `bytes beyond Content-Length do not belong to the body`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nhello\r\n\r\n")
      #expect(try client.response().body == Array("hell".utf8))
      _ = try client.rest()
      #expect(server.seen == ["POST /echo"])
    }
  }
}
