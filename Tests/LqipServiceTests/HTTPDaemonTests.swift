import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipTestSupport
@testable import LqipService

extension ServerTests {
  @Suite struct HTTPDaemonTests {
    private static let areToolsInstalled = ["openssl", "curl"].allSatisfy {
      (try? run("which", $0))?.isEmpty == false
    }

    /// Runs a tool and gives what it prints.
    private static func run(_ arguments: String...) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      defer { process.waitUntilExit() }
      return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    @Test func `an identity that is none is refused`() {
      let identity = TLSIdentity(certificate: Array("a".utf8), key: Array("b".utf8))
      #expect(throws: ServerError.certificate) { try TestServer(identity: identity) }
    }

    @Test(.enabled(if: areToolsInstalled, "openssl and curl are not installed"))
    func `requests are answered under encryption`() throws {
      let directory = try TemporaryDirectory()
      let (key, certificate) = (directory.file("key.pem"), directory.file("certificate.pem"))
      _ = try Self.run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=IP:127.0.0.1")
      let server = try TestServer(
        maximum: 1 << 20,
        identity: TLSIdentity(
          certificate: Array(directory.text(of: "certificate.pem").utf8),
          key: Array(directory.text(of: "key.pem").utf8)))
      let address = "https://127.0.0.1:\(server.socket.port ?? 0)"
      let large = try directory.write("body", [UInt8](repeating: 65, count: 1 << 20))
      let answer = try Self.run(
        "curl", "-s", "--cacert", certificate, "--data-binary", "@\(large)", "\(address)/echo",
        "\(address)/nothing", "-w", "%{http_code}")
      #expect(answer.utf8.count { $0 == 65 } == 1 << 20)
      #expect(answer.hasSuffix("404"))
      let old = try Self.run(
        "curl", "-s", "--cacert", certificate, "--tls-max", "1.1", "\(address)/health")
      #expect(old.isEmpty)
      let plain = try server.client()
      plain.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(!String(decoding: try plain.rest(), as: UTF8.self).contains("HTTP"))
      #expect(server.seen == ["POST /echo"])
    }
  }
}
