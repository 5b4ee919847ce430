import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipService
@testable import LqipSystem

extension ServerTests {
  @Suite struct ListenSocketTests {
    private func socket(_ text: String) throws -> ListenSocket {
      try ListenSocket(#require(ListenAddress(text)))
    }

    /// Returns the error message for an address that cannot be bound.
    private func failure(_ text: String) throws -> String? {
      let error = #expect(throws: CommandError.self) { try socket(text) }
      guard case .failed(let message) = error else { return nil }
      return message
    }

    private func mode(of path: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test func `only loopback addresses and Unix sockets are private`() throws {
      let directory = TemporaryDirectory()
      for address in ["127.0.0.1:0", "127.1.2.3:0", "localhost:0", "unix:\(directory.file("s"))"] {
        #expect(try socket(address).isPrivate)
      }
      let socket = try socket("0.0.0.0:0")
      #expect(!socket.isPrivate)
      #expect(try #require(socket.port) > 0)
    }

    @Test func `localhost binds an IPv4 and an IPv6 socket`() throws {
      let sockets = try ListenSocket.all(#require(ListenAddress("localhost:0")))
      #expect(sockets[0].name == "127.0.0.1:\(sockets[0].port ?? 0)")
      // Only machines with IPv6 have a second socket.
      for socket in sockets.dropFirst() { #expect(socket.name == "[::1]:\(sockets[0].port ?? 0)") }
      #expect(sockets.allSatisfy(\.isPrivate) && sockets.count <= 2)
      #expect(try ListenSocket.all(#require(ListenAddress("127.0.0.1:0"))).count == 1)
    }

    @Test func `an unusable address is reported with the reason`() throws {
      let first = try socket("127.0.0.1:0")
      #expect(
        try failure(first.name)
          == "cannot listen on \(first.name): Address already in use; "
          + "pass another address with --listen")
      let unknown = try #require(try failure("no-such-host.invalid:80"))
      #expect(unknown.hasPrefix("cannot listen on 'no-such-host.invalid': "))
      let long = try #require(try failure("unix:/tmp/\(String(repeating: "a", count: 200))"))
      #expect(long.hasSuffix("File name too long"))
    }

    @Test func `a Unix socket is accessible to its group and removed at shutdown`() throws {
      let directory = TemporaryDirectory()
      let path = directory.file("s")
      do {
        let server = try TestServer(address: "unix:\(path)")
        #expect(try mode(of: path) == 0o660)
        let client = try RawClient(path: path)
        client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response().status == 200)
        #expect(server.server.shutDown())
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: RawClient.Failure.self) { try RawClient(path: path) }
      }
    }

    @Test func `an abandoned socket is replaced`() throws {
      let directory = TemporaryDirectory()
      let path = directory.file("s")
      let abandoned = try socket("unix:\(path)")
      shutdown(abandoned.descriptor, Int32(SHUT_RDWR))
      let server = try TestServer(address: "unix:\(path)")
      try #expect(RawClient(path: path).send("G") == 1)
      withExtendedLifetime((abandoned, server)) {}
    }

    @Test func `a stopped socket does not remove a later file or socket at its path`() throws {
      let directory = TemporaryDirectory()
      let path = directory.file("s")
      do {
        let former = try socket("unix:\(path)")
        former.stopListening()
        try directory.write("s")
      }
      #expect(FileManager.default.fileExists(atPath: path))
      try FileManager.default.removeItem(atPath: path)
      let former = try socket("unix:\(path)")
      try FileManager.default.removeItem(atPath: path)
      let server = try TestServer(address: "unix:\(path)")
      former.stopListening()
      try #expect(RawClient(path: path).send("G") == 1)
      withExtendedLifetime(server) {}
    }

    @Test func `of servers that start on one path at the same time, one listens`() throws {
      let directory = TemporaryDirectory()
      let address = try #require(ListenAddress("unix:\(directory.file("s"))"))
      for _ in 0..<50 {
        let sockets = Monitor<[ListenSocket?]>([])
        for _ in 0..<4 {
          try SystemThread.start {
            let socket = try? ListenSocket(address)
            sockets.update { $0.append(socket) }
          }
        }
        _ = sockets.wait(until: nil) { $0.count == 4 ? true : nil }
        let listening = sockets.withLock { $0.compactMap(\.self) }
        #expect(listening.count == 1)
        // A thread may hold its socket for longer.
        for socket in listening { socket.stopListening() }
      }
    }

    @Test func `a socket in use and a regular file are not replaced`() throws {
      let directory = TemporaryDirectory()
      let path = directory.file("s")
      let server = try TestServer(address: "unix:\(path)")
      let failure = try #require(try failure("unix:\(path)"))
      #expect(failure.contains("Address already in use"))
      #expect(try RawClient(path: path).send("G") == 1)
      let file = try directory.write("file")
      #expect(
        try self.failure("unix:\(file)")
          == "cannot listen on unix:\(file): file exists and is not a socket")
      #expect(FileManager.default.fileExists(atPath: file))
      withExtendedLifetime(server) {}
    }

    @Test func `sockets of other processes are ignored, and two sockets are rejected`() throws {
      #expect(try ListenSocket { _ in nil } == nil)
      #expect(try ListenSocket { ["LISTEN_PID": "1", "LISTEN_FDS": "1"][$0] } == nil)
      let pid = String(getpid())
      #expect(throws: CommandError.self) {
        try ListenSocket { ["LISTEN_PID": pid, "LISTEN_FDS": "2"][$0] }
      }
    }
  }
}

@Suite struct ListenAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", ListenAddress.network(host: "127.0.0.1", port: 8080)),
    ("localhost:0", .network(host: "localhost", port: 0)),
    ("[::1]:65535", .network(host: "::1", port: 65535)),
    ("unix:/run/a b", .local(FilePath("/run/a b"))),
  ])
  func `an address is parsed as a host and a port or as a socket path`(
    text: String, address: ListenAddress
  ) {
    #expect(ListenAddress(text) == address)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", ":8080", "localhost", "localhost:", "localhost:65536", "localhost:+1", "localhost:x",
    "::1:8080", "[::1]", "[::1:8080", "[localhost]:1", "unix:", "8080", "[]:1",
  ])
  func `a malformed address is rejected`(text: String) {
    #expect(ListenAddress(text) == nil)
  }
}
