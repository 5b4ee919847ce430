package import Foundation
import PlaceholdersTestSupport

/// A run of the built program whose standard input stays open until something ends it.
package final class RunningProgram {
  package struct Hanging: Error {}

  private let process = Process()
  private let input = Pipe()
  private let scratch: TemporaryDirectory

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: What follows its name.
  ///   - launcher: A program and its arguments, which becomes the one that is named after them.
  ///   - output: Where its standard output goes.
  /// - Throws: What keeps it from being started.
  package init(
    _ arguments: [String], through launcher: [String] = [], output: FileHandle = .nullDevice
  ) throws {
    // A run of the tests in the background ignores the signal, and so would what it starts.
    signal(SIGINT, SIG_DFL)
    scratch = try TemporaryDirectory()
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
    end(by: SIGKILL)
    process.waitUntilExit()
  }

  /// Sends lines to its standard input.
  package func send(_ lines: some Sequence<String>) throws {
    try send(Array(lines.map { "\($0)\n" }.joined().utf8))
  }

  /// Sends bytes to its standard input.
  package func send(_ bytes: some Sequence<UInt8>) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  /// Sends it a signal.
  package func end(by signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for its end, and gives its exit code, or less than zero for the signal that ended it.
  package func status() throws -> Int32 {
    try Self.wait { !process.isRunning }
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }

  /// What it has written to standard error.
  package var errors: String {
    get throws { try scratch.text(of: "err") }
  }

  /// Waits until something is so, or throws when it obviously never will be.
  package static func wait(until condition: () throws -> Bool) throws {
    for _ in 0..<120_000 {
      if try condition() { return }
      usleep(1000)
    }
    throw Hanging()
  }
}
