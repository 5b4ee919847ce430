import Foundation

/// A running `lqip serve` process.
package final class ServingProgram {
  package struct OutputEnded: Error {}

  package let port: UInt16
  private let process = Process()
  private let errors = Pipe()
  private var lines: [String] = []
  private var rest = ""

  /// Starts the server on a free local port, and waits until it listens.
  ///
  /// - Parameters:
  ///   - arguments: The options other than the address.
  ///   - socket: A listening socket to pass as systemd does, instead of the address.
  ///   - limit: Options of the shell's `ulimit`, such as `-n 64`; nil for the limits of this
  ///     process.
  ///   - environment: Additional environment variables.
  /// - Throws: An error if the server cannot be started.
  package init(
    _ arguments: String..., socket: Int32? = nil, limit: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    let address = socket == nil ? ["--listen", "127.0.0.1:0"] : []
    let arguments = ["serve", "--log", "none"] + address + arguments
    process.executableURL = Program.executable
    process.arguments = arguments
    var script: String?
    if let limit { script = "ulimit \(limit) && exec \"$@\"" }
    if let socket {
      process.standardInput = FileHandle(fileDescriptor: socket, closeOnDealloc: false)
      script = "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\" 3<&0 </dev/null"
    }
    if let script {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script, "sh", Program.executable.path] + arguments
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = errors
    try process.run()
    var port: UInt16?
    while port == nil {
      let line = try Self.line(from: errors, &lines, &rest)
      if line.hasPrefix("lqip: listening on 127.0.0.1:") {
        port = line.split(separator: ":").last.flatMap { UInt16($0) }
      }
    }
    self.port = port ?? 0
  }

  deinit {
    guard process.isRunning else { return }
    send(signal: SIGKILL)
    // Exit tests could not detect the end of their own process while this child is a zombie.
    process.waitUntilExit()
  }

  /// Reads the next line on standard error.
  package func line() throws -> String {
    try Self.line(from: errors, &lines, &rest)
  }

  /// Returns the IDs of all descendant processes, from `/proc`.
  package func descendants() throws -> [Int32] {
    var found = [process.processIdentifier]
    for index in 0... {
      guard index < found.count else { break }
      // Each thread has a list of the children that it has started. A thread may end meanwhile.
      let tasks = "/proc/\(found[index])/task"
      for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
        let children = try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
        found += (children ?? "").split(separator: " ").compactMap { Int32($0) }
      }
    }
    return Array(found.dropFirst())
  }

  /// Returns the number of open descriptors, from `/proc`.
  package func descriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(process.processIdentifier)/fd"
    ).count
  }

  /// Sends a signal to the server.
  package func send(signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for the server to exit, and returns its exit code or the negative number of a signal.
  package func status() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }

  /// Sends a request without a body on a new connection, and returns the response.
  package func response(_ request: String, token: String) throws -> RawClient.Response {
    let client = try RawClient(port: port)
    client.send("\(request) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n")
    return try client.response()
  }

  private static func line(
    from pipe: Pipe, _ lines: inout [String], _ rest: inout String
  ) throws -> String {
    while lines.isEmpty {
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { throw OutputEnded() }
      rest += String(decoding: data, as: UTF8.self)
      let pieces = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      lines = Array(pieces.dropLast())
      rest = pieces.last ?? ""
    }
    return lines.removeFirst()
  }
}
