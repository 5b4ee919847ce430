import LqipOptions
import LqipRecords
import LqipService
import LqipSystem

/// Checks a server on this machine, for containers without a shell.
struct HealthcheckCommand: Command {
  var port: UInt16?

  static let text = CommandText(
    name: "healthcheck",
    summary: "Check that a server on this machine responds",
    operand: "[PORT]",
    discussion: """
      Requests /healthz on 127.0.0.1, on port 8080 or PORT. The exit status is 0 if the response is \
      200. It is 1 after any other response, or without one within 2 seconds.
      """,
    examples: [
      "Check a server on the default port": "lqip healthcheck",
      "Check a server on port 9000": "lqip healthcheck 9000",
    ])

  private static let request = "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n"
  private static let timeout = Duration.seconds(2)

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    guard port == nil else { throw .unexpectedOperand(operand.text) }
    let hosts = ["127.0.0.1:", "localhost:", ":"]
    let host = hosts.first(where: operand.text.hasPrefix) ?? ""
    guard let port = UInt16(operand.text.dropFirst(host.count)), port > 0 else {
      throw .invalidValue(operand.text, option: "PORT", allowed: "a port number")
    }
    self.port = port
  }

  func run() throws(CommandError) -> ExitStatus {
    let port = port ?? 8080
    let line = try CommandError.catching({ .failed("127.0.0.1:\(port): \($0)") }) {
      try Self.statusLine(from: port)
    }
    guard !line.isEmpty else { throw .failed("127.0.0.1:\(port): no response") }
    guard line.split(separator: " ").dropFirst().first == "200" else {
      throw .failed("127.0.0.1:\(port): unexpected response '\(line)'")
    }
    return .success
  }

  /// Sends the request and returns the first line of the response, or as much of that line as arrives in time.
  ///
  /// A line of more than 256 bytes may be truncated.
  private static func statusLine(from port: UInt16) throws -> String {
    let deadline = MonotonicTime.now + timeout
    let server = try FileDescriptor(streamSocketOf: AF_INET)
    // A blocked `connect` returns when the time limit for sending passes.
    var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
    _ = unsafe setsockopt(
      server.number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let address = try SocketAddress(.network(host: "127.0.0.1", port: port))
    try SystemError.check { unsafe address.withPointer { unsafe connect(server.number, $0, $1) } }
    _ = try SystemError.check { unsafe write(server.number, request, request.utf8.count) }
    var head: [UInt8] = []
    while !head.contains(UInt8(ascii: "\r")), head.count < 256,
      try FileDescriptor.waitForInput(server.number, until: deadline)
    {
      let bytes = try FileDescriptor.readNext(server.number, upTo: 256)
      if bytes.isEmpty { break }
      head += bytes
    }
    return String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
