import Foundation
import LqipTestSupport

/// Python's own server of the files in a directory, on a free port of this machine.
final class FileServer {
  let url: String
  private let process = Process()

  init(_ directory: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", directory,
    ]
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
    // It has the mask of the thread that started it, and where that is a worker's, other signals are blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
