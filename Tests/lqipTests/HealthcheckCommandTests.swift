import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
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

  @Test func `a response other than 200 is unhealthy`() throws {
    let scratch = try TemporaryDirectory()
    let other = Process()
    let output = Pipe()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    other.arguments = ["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    other.currentDirectoryURL = URL(fileURLWithPath: scratch.file(""))
    other.standardOutput = output
    other.standardError = FileHandle.nullDevice
    try other.run()
    defer {
      // The process may inherit a blocked SIGTERM; SIGKILL cannot be blocked.
      kill(other.processIdentifier, SIGKILL)
      other.waitUntilExit()
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(line.firstMatch(of: /port (\d+)/)).1
    let run = try Program("healthcheck", String(port))
    #expect(run.status == 1)
    #expect(
      run.errors == "lqip: 127.0.0.1:\(port): unexpected response 'HTTP/1.0 404 File not found'\n")
  }

  @Test(arguments: ["0", "65536", "host:80"])
  func `an invalid port is rejected`(port: String) throws {
    let run = try Program("healthcheck", port)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("lqip: invalid value '\(port)' for 'PORT'"))
  }
}
