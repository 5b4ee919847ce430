import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipService

extension ServerTests {
  /// Tests of receiving request bodies.
  @Suite struct HTTPServerBodyTests {
    @Test func `a Content-Length above the limit gets 413`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")
      let response = try client.response()
      #expect(response.status == 413)
      #expect(response.code == "too_large")
      #expect(response.fields["content-type"] == "application/problem+json")
      client.finishSending()
      #expect(try client.isClosed())
    }

    @Test func `a client that keeps sending still receives 413`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 32000000\r\n\r\n")
      #expect(client.send([UInt8](repeating: 0, count: 32_000_000)) == 32_000_000)
      #expect(try client.response().status == 413)
    }

    @Test func `an expectation of 100-continue gets 100, or 413 for an overlong body`() throws {
      let server = try TestServer()
      let client = try server.client()
      let head = "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
      client.send("\(head)Content-Length: 5\r\n\r\n")
      #expect(try client.response().status == 100)
      client.send("hello")
      #expect(try client.response().body == Array("hello".utf8))
      client.send("\(head)Content-Length: 1001\r\n\r\n")
      #expect(try client.response().status == 413)
      client.finishSending()
      #expect(try client.isClosed())
    }

    @Test func `a chunked body above the limit gets 413 and closes the connection`() throws {
      let server = try TestServer()
      let client = try server.client()
      let chunk = "258\r\n\(String(repeating: "x", count: 600))\r\n"
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "\(chunk)\(chunk)0\r\n\r\n\(ServerTests.smuggledRequest)")
      let response = try client.response()
      #expect(response.status == 413)
      #expect(response.fields["connection"] == "close")
      client.finishSending()
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
    }

    @Test func `an endless chunked body gets 413 and closes the connection`() throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = Array("3e8\r\n\(String(repeating: "x", count: 1000))\r\n".utf8)
      for _ in 1...100 { client.send(chunk) }
      #expect(try client.response().status == 413)
      #expect(try client.isClosed())
      #expect(server.seen.isEmpty)
      // At most twice the limit is read, plus the bytes in transit.
      #expect(server.journal.wait { $0.summaries.count == 1 })
      #expect(server.journal.entries.summaries[0].bytesIn <= 3000)
    }

    @Test func `a body sent to a route that accepts none gets 413`() throws {
      let server = try TestServer()
      for framing in ["Content-Length: 1", "Transfer-Encoding: chunked"] {
        let client = try server.client()
        client.send("GET /health HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        #expect(try client.response().status == 413)
      }
      let client = try server.client()
      client.send("GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      #expect(try client.response().status == 200)
    }

    @Test func `a body beyond the memory budget for all bodies gets 503`() throws {
      var limits = ServerLimits()
      limits.bufferedByteCount = 1000
      let server = try TestServer(limits)
      let first = try server.client()
      first.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 600\r\n\r\n")
      first.send([UInt8](repeating: 0, count: 600))
      #expect(server.gate.waitForArrivals(1))
      let second = try server.client()
      let request =
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 600\r\n\r\n"
        + String(repeating: "x", count: 600)
      second.send(request)
      let response = try second.response()
      #expect(response.status == 503)
      #expect(response.fields["retry-after"] == "1")
      server.gate.open()
      #expect(try first.response().status == 200)
      #expect(server.journal.wait { $0.summaries.count == 2 })
      second.send(request)
      #expect(try second.response().status == 200)
    }
  }
}
