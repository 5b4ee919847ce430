import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipService

extension ServerTests {
  /// Tests of the limits of a request head.
  @Suite struct HTTPServerLimitTests {
    @Test(arguments: [100_000, 1_000_000])
    func `an overlong target gets 414`(count: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send("GET /\(String(repeating: "a", count: count)) HTTP/1.1\r\nHost: a\r\n\r\n")
      let rest = String(decoding: try client.rest(), as: UTF8.self)
      #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 414 "))
      #expect(server.seen.isEmpty)
    }

    @Test(arguments: [17_000, 1_000_000])
    func `an overlong header field gets 431`(count: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      client.send(
        "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: count))\r\n\r\n")
      #expect(try client.response().status == 431)
      #expect(server.seen.isEmpty)
    }

    @Test func `many cookies are accepted within the head limit`() throws {
      let server = try TestServer()
      let client = try server.client()
      let cookies = (0..<240).map { "name\($0)=\(String(repeating: "v", count: 48))" }
      client.send(
        "GET /health HTTP/1.1\r\nHost: a\r\nCookie: \(cookies.joined(separator: "; "))\r\n\r\n")
      #expect(try client.response().status == 200)
    }

    @Test(arguments: [(63, 200), (64, 431), (5000, 431)])
    func `too many header fields get 431`(count: Int, status: Int) throws {
      let server = try TestServer()
      let client = try server.client()
      let fields = String(repeating: "X: y\r\n", count: count)
      client.send("GET /health HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
      #expect(try client.response().status == status)
    }
  }
}
