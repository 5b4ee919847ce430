import Foundation
import LqipTestSupport

/// Python's HTTP server for the files in a directory, on a free local port; all responses may have a policy.
final class FileServer {
  let url: String
  private let process = Process()

  init(_ directory: String, policy: String? = nil) throws {
    let output = Pipe()
    let script = """
      import http.server, sys
      class Handler(http.server.SimpleHTTPRequestHandler):
          def end_headers(self):
              if len(sys.argv) > 1: self.send_header("Content-Security-Policy", sys.argv[1])
              super().end_headers()
      http.server.test(Handler, http.server.ThreadingHTTPServer, port=0, bind="127.0.0.1")
      """
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", script] + (policy.map { [$0] } ?? [])
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = line.firstMatch(of: /port (\d+)/)?.1 else {
      throw RawClient.Failure(reason: "no server: \(line)")
    }
    url = "http://127.0.0.1:\(port)"
  }

  deinit {
    // The server inherits the signal mask of the thread that started it. On a worker thread, the
    // mask blocks other signals.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
