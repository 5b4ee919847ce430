import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipService
@testable import LqipTestSupport

extension ServerTests {
  @Suite struct HTTPDaemonTests {
    private static let areToolsInstalled = ["openssl", "curl"].allSatisfy {
      (try? run("which", $0))?.isEmpty == false
    }

    /// Runs a tool and gives what it prints.
    private static func run(_ arguments: String...) throws -> String {
      try run(arguments)
    }

    private static func run(_ arguments: [String]) throws -> String {
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

    /// Two files that are no certificate and no key, and the error that names them.
    private func noIdentity(
      _ directory: TemporaryDirectory
    ) throws -> (identity: TLSIdentity, error: ServerError) {
      let certificate = FilePath(try directory.write("a", Array("a".utf8)))
      let key = FilePath(try directory.write("b", Array("b".utf8)))
      return (
        try TLSIdentity(certificate: certificate, key: key), .identity(certificate, key: key)
      )
    }

    @Test func `an identity that is none is refused, by the names of its files`() throws {
      let directory = try TemporaryDirectory()
      let (identity, error) = try noIdentity(directory)
      #expect(throws: error) { try TestServer(identity: identity) }
      let (certificate, key) = (directory.file("a"), directory.file("b"))
      #expect(
        "\(error)"
          == "cannot use \(certificate) with \(key): expected a PEM certificate and its private key"
      )
    }

    /// A server that proves to be 127.0.0.1, and the file that it is to be trusted by.
    private func server(
      _ directory: TemporaryDirectory
    ) throws -> (server: TestServer, certificate: String) {
      let (key, certificate) = (directory.file("key.pem"), directory.file("certificate.pem"))
      let identity = try identity(directory, key, certificate)
      return (try TestServer(maximum: 1 << 20, identity: identity), certificate)
    }

    private func identity(
      _ directory: TemporaryDirectory, _ key: String, _ certificate: String
    ) throws -> TLSIdentity {
      _ = try Self.run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=IP:127.0.0.1")
      return try TLSIdentity(certificate: FilePath(certificate), key: FilePath(key))
    }

    @Test(.enabled(if: areToolsInstalled, "openssl and curl are not installed"))
    func `requests are answered under encryption`() throws {
      let directory = try TemporaryDirectory()
      let (server, certificate) = try server(directory)
      let address = "https://127.0.0.1:\(server.socket.port ?? 0)"
      let large = try directory.write("body", [UInt8](repeating: 65, count: 1 << 20))
      let answer = try Self.run(
        "curl", "-s", "--cacert", certificate, "--data-binary", "@\(large)", "\(address)/echo",
        "\(address)/nothing", "-w", "%{http_code}")
      let byteCount = answer.utf8.count { $0 == 65 }
      #expect(byteCount == 1 << 20)
      let end = answer.suffix(3)
      #expect(end == "404")
      for option in ["--tls-max=1.1", "--ciphers=AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA256"] {
        let words = option.split(separator: "=").map(String.init)
        let old = try Self.run(
          "curl", "-s", "--tls-max", "1.2", "--cacert", certificate, words[0], words[1],
          "\(address)/health")
        #expect(old.isEmpty)
      }
      let plain = try server.client()
      plain.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(!String(decoding: try plain.rest(), as: UTF8.self).contains("HTTP"))
      #expect(server.seen == ["POST /echo"])
    }

    @Test(.enabled(if: areToolsInstalled, "openssl and curl are not installed"))
    func `an answer reaches a client that is still sending`() throws {
      let directory = try TemporaryDirectory()
      let (server, certificate) = try server(directory)
      let port = server.socket.port ?? 0
      let size = 6_000_000
      let large = try directory.write("body", [UInt8](repeating: 65, count: size))
      for (path, status) in [("nothing", "404"), ("echo", "413")] {
        let addresses = Array(repeating: "https://127.0.0.1:\(port)/\(path)", count: 10)
        let codes = try Self.run(
          ["curl", "-s", "--cacert", certificate, "-H", "Expect:", "--data-binary", "@\(large)"]
            + ["-w", "%{http_code} "] + addresses.flatMap { ["-o", "/dev/null", $0] })
        #expect(codes == String(repeating: "\(status) ", count: 10))
        // This one does not look at the answer before everything is sent.
        let head = "POST /\(path) HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: \(size)\\r\\n\\r\\n"
        let answer = try Self.run(
          "sh", "-c",
          "{ printf '\(head)'; cat '\(large)'; } | "
            + "openssl s_client -quiet -connect 127.0.0.1:\(port)")
        let start = answer.prefix(12)
        #expect(start == "HTTP/1.1 \(status)")
      }
    }

    @Test(.enabled(if: areToolsInstalled, "openssl and curl are not installed"))
    func `another identity holds for those who connect later`() throws {
      let directory = try TemporaryDirectory()
      let (server, first) = try server(directory)
      let address = "https://127.0.0.1:\(server.socket.port ?? 0)/health"
      let trust = { try Self.run("curl", "-s", "--cacert", $0, address) }
      #expect(try trust(first) == "fine")
      let second = directory.file("second.pem")
      let (wrong, error) = try noIdentity(directory)
      #expect(throws: error) { try server.server?.renew(wrong) }
      #expect(try trust(first) == "fine")
      for _ in 1...3 {
        let new = try identity(directory, directory.file("key.pem"), second)
        #expect(try server.server?.renew(new) == true)
        #expect(try trust(second) == "fine")
      }
      #expect(server.server?.shutDown() == true)
    }

    @Test(.enabled(if: areToolsInstalled, "openssl and curl are not installed"))
    func `a server that shuts down takes no other identity`() throws {
      let directory = try TemporaryDirectory()
      let identity = try identity(
        directory, directory.file("key.pem"), directory.file("certificate.pem"))
      let server = try #require(try TestServer(identity: identity).server)
      #expect(try server.renew(identity))
      server.shutDown()
      #expect(try !server.renew(identity))
    }
  }
}
