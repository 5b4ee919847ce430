import Foundation
import LqipTestSupport
import Testing

@Suite struct HealthcheckCommandTests {
  @Test func `a running server is healthy, and a stopped one is not`() throws {
    let server = try ServingProgram()
    let port = String(server.port)
    let healthy = try Program("healthcheck", port)
    #expect(healthy.status == 0 && healthy.output.isEmpty && healthy.errors.isEmpty)
    server.send(signal: SIGKILL)
    #expect(server.status() != 0)
    let run = try Program("healthcheck", port)
    #expect(run.status == 1)
    #expect(run.errors == "lqip: 127.0.0.1:\(port): Connection refused\n")
  }

  @Test(arguments: [
    (["HTTP/1.1 404 Not Found\r\n"], "unexpected response 'HTTP/1.1 404 Not Found'"),
    (["HTTP/1.1 2", "00 OK\r\n"], nil), ([], "no response"),
  ])
  func `only a 200 response within two seconds counts as healthy`(pieces: [String], error: String?)
    throws
  {
    let server = Process()
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = ["python3", "-c", Self.server] + pieces
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer {
      // The process may inherit a blocked SIGTERM; SIGKILL cannot be blocked.
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = line.prefix { $0.isNumber }
    let run = try Program("healthcheck", String(port))
    #expect(run.status == (error == nil ? 0 : 1))
    #expect(run.errors == (error.map { "lqip: 127.0.0.1:\(port): \($0)\n" } ?? ""))
  }

  /// A server that sends its arguments one by one, and then keeps the connection open.
  private static let server = """
    import socket, sys, time
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    client, _ = listener.accept()
    client.recv(1000)
    for piece in sys.argv[1:]:
        client.send(piece.encode())
        time.sleep(0.1)
    time.sleep(60)
    """

  @Test(arguments: ["0", "65536", "host:80"])
  func `an invalid port is rejected`(port: String) throws {
    let run = try Program("healthcheck", port)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("lqip: invalid value '\(port)' for 'PORT'"))
  }
}
