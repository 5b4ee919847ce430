import Foundation
import Testing

/// The files of the repository, and what they say to run.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file, as lines.
  static func lines(of path: String) throws -> [String] {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  /// Runs an executable in the root of the repository; it has to succeed.
  ///
  /// - Parameters:
  ///   - executable: The file to run.
  ///   - arguments: What follows its name.
  ///   - path: Where it looks for programs before it does where the tests do.
  /// - Returns: Its standard output, without the newline at the end.
  /// - Throws: What keeps it from being started, or from succeeding.
  static func run(
    _ executable: URL, _ arguments: [String], path: String? = nil
  ) throws -> String {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = root
    var environment = ProcessInfo.processInfo.environment
    // A `make` that runs the tests hands its own variables down.
    environment["MAKEFLAGS"] = nil
    environment["MAKEOVERRIDES"] = nil
    if let path { environment["PATH"] = "\(path):\(environment["PATH"] ?? "")" }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(executable.path) \(arguments)")
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
