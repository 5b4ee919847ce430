package import Foundation
import PlaceholdersTestSupport

/// A running program whose standard input stays open.
package final class RunningProgram {
  package struct TimedOut: Error {}

  private let process = Process()
  private let input = Pipe()
  private let scratch = TemporaryDirectory()

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: The command-line arguments.
  ///   - launcher: A command that executes the program, such as `env`; empty for none.
  ///   - output: The destination of standard output.
  /// - Throws: An error if the program cannot be started.
  package init(
    _ arguments: [String], through launcher: [String] = [], output: FileHandle = .nullDevice
  ) throws {
    // Shells start background jobs with SIGINT ignored, and child processes inherit this setting.
    signal(SIGINT, SIG_DFL)
    let words = launcher + [Program.executable.path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: try scratch.write("err", []))
    try process.run()
  }

  deinit {
    guard process.isRunning else { return }
    send(signal: SIGKILL)
    process.waitUntilExit()
  }

  /// Sends lines to standard input.
  package func send(_ lines: some Sequence<String>) throws {
    try send(Array(lines.map { "\($0)\n" }.joined().utf8))
  }

  /// Sends bytes to standard input.
  package func send(_ bytes: some Sequence<UInt8>) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  /// Sends a signal to the program.
  package func send(signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for the program to exit, and returns its exit code or the negative number of a signal.
  package func status() throws -> Int32 {
    try Self.wait { !process.isRunning }
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }

  /// The text on standard error so far.
  package var errors: String {
    get throws { try scratch.text(of: "err") }
  }

  /// Waits until a condition holds, or throws after about two minutes.
  package static func wait(until condition: () throws -> Bool) throws {
    for _ in 0..<120_000 {
      if try condition() { return }
      usleep(1000)
    }
    throw TimedOut()
  }
}
