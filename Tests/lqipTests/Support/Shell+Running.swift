import PlaceholdersTestSupport
import Foundation

@testable import lqip

extension Shell {
  /// Whether the shell is installed.
  var isInstalled: Bool {
    get throws { try run(arguments: ["-c", "exit 0"]).status == 0 }
  }

  /// Runs the shell until it exits.
  ///
  /// - Parameter arguments: The arguments.
  /// - Returns: The exit status, and the lines of standard output and standard error.
  /// - Throws: An error if the shell cannot be started.
  func run(arguments: [String]) throws -> (status: Int32, lines: [String]) {
    let scratch = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [rawValue] + arguments
    let output = FileHandle(forWritingAtPath: try scratch.write("out", []))
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    let lines = try scratch.text(of: "out").split(separator: "\n").map(String.init)
    return (process.terminationStatus, lines)
  }
}
